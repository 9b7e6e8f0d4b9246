/** The page about settings as code: its shell lines and the steps of its workflow are run, on the sandbox. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { bin, machine } from '../process/program.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/settings-as-code.md'), 'utf8')
const blocks = (language: string) =>
  [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, kind, text = '']) => (kind === language ? [text] : []))

interface Step {
  readonly name?: string
  readonly run?: string
  readonly env?: Record<string, string>
}

/** A folder to work in, with `analytics` on the path as the workflow has it. */
function workplace() {
  const folder = mkdtempSync(join(tmpdir(), 'analytics-docs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin/analytics'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`, { mode: 0o755 })
  return {
    folder,
    shell: (script: string, env: Record<string, string> = {}) =>
      spawnSync('bash', ['-e', '-c', script], {
        cwd: folder,
        encoding: 'utf8',
        env: {
          ...machine,
          PATH: `${join(folder, 'bin')}:${machine.PATH}`,
          HOME: folder,
          ANALYTICS_SANDBOX: '1',
          GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
          ...env,
        },
      }),
  }
}

test('the lines that begin it: what was pulled is what there is', () => {
  const { shell } = workplace()
  const { status, stderr } = shell(blocks('sh')[0] ?? '')
  expect([status, stderr.match(/no changes/g)?.length]).toEqual([0, 2])
})

test('the workflow shows a change, makes it, and reports drift', () => {
  const { folder, shell } = workplace()
  const workflow = parse(blocks('yaml').find(block => block.includes('jobs:')) ?? '')
  const steps: readonly Step[] = workflow.jobs.settings.steps
  const summary = () => readFileSync(join(folder, 'summary.md'), 'utf8')
  const step = (name: string) => {
    const found = steps.find(one => one.name === name)
    return shell(found?.run ?? 'exit 99', found?.env).status
  }
  const { stdout: pulled } = shell('analytics projects pull')
  writeFileSync(join(folder, 'settings.yaml'), pulled.replace('Europe/London', 'Europe/Berlin'))

  expect(step('Show what would change')).toBe(0)
  expect(summary()).toContain('| `timezone` | `Europe/London` | `Europe/Berlin` |')
  expect(step('Make the changes')).toBe(0)
  expect(summary()).toMatch(/^### Changed 1 setting: `project 1 /)
  expect(step('Report drift')).toBe(0)

  shell('analytics projects update 1 --timezone UTC')
  expect(step('Report drift')).toBe(9)
  expect(summary()).toContain('| `timezone` | `UTC` | `Europe/Berlin` |')
})

test('the example file is one that is taken', () => {
  const { folder, shell } = workplace()
  writeFileSync(join(folder, 's.yaml'), blocks('yaml')[0] ?? '')
  const lines = 'analytics projects apply -f s.yaml --yes && analytics projects diff -f s.yaml'
  const hook = { SLACK_INCOMING_WEBHOOK: 'https://hooks.example.com/made-up' }
  expect(shell(lines.replaceAll('-f', '--env SLACK_INCOMING_WEBHOOK -f'), hook).status).toBe(0)
})

test('the lines about many projects, and those that put settings back', () => {
  const { folder, shell } = workplace()
  const [several = '', fleet = '', previous = ''] = blocks('sh').slice(1, 4)
  const manifest = blocks('yaml').find(block => block.includes('defaults:')) ?? ''
  const files = { 'fleet.yaml': manifest, 'base.yaml': 'timezone: Asia/Tokyo\n', 'shop.yaml': 'is_demo: true\n' }
  for (const [name, text] of Object.entries({
    ...files,
    'blog.yaml': 'name: Blog\n',
    'settings.yaml': 'timezone: UTC\n',
  })) {
    writeFileSync(join(folder, name), text)
  }
  const statuses = (block: string) =>
    block
      .trim()
      .split('\n')
      .map(line => shell(line).status)
  expect(statuses(several)).toEqual([9, 0])
  expect(statuses(fleet)).toEqual([9, 0, 0])
  expect(statuses(previous)).toEqual([0, 0, 0, 0])
  expect(shell('analytics projects diff --manifest fleet.yaml').status).toBe(0)
})
