/** The workflows of `.github`, read as GitHub reads them: what each must have, and that it runs scripts that exist. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import manifest from '../../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '../..')
const folder = join(root, '.github/workflows')

interface Step {
  readonly uses?: string
  readonly run?: string
}

interface Job {
  readonly 'runs-on': string
  readonly 'timeout-minutes': number
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> }
  readonly steps: readonly Step[]
}

function jobsOf(name: string): readonly Job[] {
  return Object.values(parse(readFileSync(join(folder, name), 'utf8')).jobs)
}

describe.each(readdirSync(folder))('%s', name => {
  test('has a trigger, few permissions and an end to each job', () => {
    const workflow = parse(readFileSync(join(folder, name), 'utf8'))
    expect(workflow).toMatchObject({ name: expect.any(String), permissions: { contents: 'read' } })
    expect(Object.keys(workflow.on).length).toBeGreaterThan(0)
    for (const job of jobsOf(name)) {
      expect(job).toMatchObject({ 'runs-on': expect.any(String), 'timeout-minutes': expect.any(Number) })
    }
  })

  test('each step uses an action of a version, or runs something', () => {
    for (const { uses, run } of jobsOf(name).flatMap(job => job.steps)) {
      expect([uses, run].filter(Boolean)).toHaveLength(1)
      if (uses) expect(uses).toMatch(/^[\w-]+\/[\w-]+@v\d+$/)
    }
  })

  test('each script that it runs is one of package.json', () => {
    const typed = jobsOf(name).flatMap(job => job.steps.flatMap(step => step.run ?? []))
    const scripts = typed.flatMap(text => [...text.matchAll(/npm run ([\w:]+)/g)].map(([, script]) => script))
    expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(scripts))
  })
})

test('the suite runs on each Node and each system', () => {
  const [job, windows] = jobsOf('test.yml')
  const node = [20, 22, 24, 26]
  expect(job?.strategy?.matrix).toEqual({ os: ['ubuntu-latest', 'macos-latest'], node })
  expect(windows?.strategy?.matrix).toEqual({ node })
})

test('the linter finds nothing in them, and mistakes in copies that have some', () => {
  const copies = mkdtempSync(join(tmpdir(), 'analytics-workflows-'))
  onTestFinished(() => rmSync(copies, { recursive: true, force: true }))
  const mistakes = [
    ['key', 'timeout-minutes', 'timeout-minute', 'unexpected key "timeout-minute" for "job" section'],
    ['expression', 'matrix.node', 'matrix.nodes', 'property "nodes" is not defined'],
    ['machine', 'ubuntu-latest\n', 'ubuntu-lates\n', 'label "ubuntu-lates" is unknown'],
  ] as const
  const right = readFileSync(join(folder, 'test.yml'), 'utf8')
  const wrong = mistakes.map(([name, from, to]) => {
    const file = join(copies, `${name}.yml`)
    writeFileSync(file, right.replace(from, to))
    return file
  })
  const ours = readdirSync(folder).map(name => join(folder, name))
  const words = ['scripts/lint-workflows.mjs', ...ours, ...wrong]
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' })
  const found = stderr.trimEnd().split('\n')
  const reported = mistakes.map(([name, , , text], i) => [
    name,
    found[i]?.startsWith(`${wrong[i]}:`),
    found[i]?.includes(text),
  ])
  expect([status, found.length, reported]).toEqual([1, 3, mistakes.map(([name]) => [name, true, true])])
})
