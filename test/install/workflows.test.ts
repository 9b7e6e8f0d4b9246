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
  readonly with?: Readonly<Record<string, unknown>>
}

interface Job {
  readonly 'runs-on': string
  readonly 'timeout-minutes': number
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> }
  readonly permissions?: Readonly<Record<string, string>>
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

  test('each step uses an action at one commit, or runs something, and none keeps the key of the checkout', () => {
    for (const { uses, run, with: given } of jobsOf(name).flatMap(job => job.steps)) {
      expect([uses, run].filter(Boolean)).toHaveLength(1)
      if (uses) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[\da-f]{40}$/)
      if (uses?.startsWith('actions/checkout@')) expect(given).toMatchObject({ 'persist-credentials': false })
    }
    const text = readFileSync(join(folder, name), 'utf8')
    expect(text.match(/uses: .*/g)?.filter(line => !/ # v\d+\.\d+\.\d+$/.test(line))).toEqual([])
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
  expect(job?.strategy?.matrix).toEqual({ os: ['ubuntu-latest', 'ubuntu-24.04-arm', 'macos-latest'], node })
  expect(windows?.strategy?.matrix).toEqual({ node })
})

test('only the job that publishes may write, and it runs no package of npm', () => {
  const [build, publish] = jobsOf('release.yml')
  expect(build?.permissions).toBeUndefined()
  expect(publish?.permissions).toEqual({ contents: 'write', 'id-token': 'write', attestations: 'write' })
  expect(publish?.steps.flatMap(({ run }) => run ?? [])).toEqual([
    'sha256sum --check SHA256SUMS',
    'node scripts/release/publish.mjs release',
  ])
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

test('CODEOWNERS names the owner of the project', () => {
  const [owner] = manifest.repository.replace('github:', '').split('/')
  expect(readFileSync(join(root, '.github/CODEOWNERS'), 'utf8')).toContain(`\n* @${owner}\n`)
})

test('an issue asks for what doctor prints, and .nvmrc names a Node that is tested', () => {
  const { body } = parse(readFileSync(join(root, '.github/ISSUE_TEMPLATE/fault.yml'), 'utf8'))
  expect(JSON.stringify(body)).toContain('analytics doctor')
  expect([20, 22, 24, 26]).toContain(Number(readFileSync(join(root, '.nvmrc'), 'utf8')))
})
