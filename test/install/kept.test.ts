/** What is beside the program to start it sooner: prepared texts, and compiled code of earlier runs, never of another build. */
import { execFile, execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { machine } from '../process/program.ts'
import { personsList, startServer } from '../server.ts'

const root = join(import.meta.dirname, '../..')
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'analytics-kept-'))
  const filter = (path: string) => !path.includes('dist/kept-')
  for (const name of ['bin', 'dist']) cpSync(join(root, name), join(folder, name), { recursive: true, filter })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** stderr and the exit code of a run. */
function run(...argv: readonly string[]): string {
  const shell = 'umask 0; "$NODE" bin/analytics.js "$@" 2>&1 >/dev/null; echo "exit $?"'
  const env = { ...machine, HOME: folder, NODE: process.execPath }
  return execFileSync('sh', ['-c', shell, 'sh', ...argv], { cwd: folder, env, encoding: 'utf8' })
}

const kept = (command = 'profiles-list-table') =>
  join(folder, `dist/kept-${process.version}-${process.arch}-${command}`)

const right = 'No profiles yet; add one with analytics profiles add NAME\nexit 0\n'

test('the program is ASCII, since its bytes are read as characters', () => {
  const lines = readFileSync(join(folder, 'dist/analytics.js'), 'latin1').split('\n')
  expect(lines.filter(line => /[^\x00-\x7f]/.test(line))).toEqual([])
})

test('a copy that is not built says so', () => {
  for (const name of ['analytics.js', 'prepared.json']) rmSync(join(folder, 'dist', name))
  const message = 'This copy of analytics is not built yet.\nRun npm ci in its folder.\nexit 1\n'
  expect([run(), run('--version'), run('persons', 'list')]).toEqual([message, message, message])
})

test('damaged prepared answers are answered by the program', () => {
  for (const damaged of ['', '{"answers":', 'null', '{}']) {
    writeFileSync(join(folder, 'dist/prepared.json'), damaged)
    expect([run('--version'), run('--help')]).toEqual(['exit 0\n', 'exit 0\n'])
  }
})

test.each([
  [''],
  ['persons', ''],
  ['persons', 'del'],
  ['persons', 'x'],
  ['persons', '-'],
  ['help', ''],
])('a shell gets the prepared words of %j as the program gives them', (...words) => {
  const candidates = () =>
    execFileSync(process.execPath, ['bin/analytics.js', '__complete', '--', ...words], { cwd: folder, env: machine })
  const prepared = String(candidates())
  writeFileSync(join(folder, 'dist/prepared.json'), '')
  expect(prepared).toBe(String(candidates()))
})

test('a command keeps its code once, for nobody else to write; its help, its failures and each format have their own', () => {
  run('profiles', 'list', '--help')
  run('profiles', 'list')
  const { mtimeMs, mode } = statSync(kept())
  expect(mode & 0o022).toBe(0)
  for (const words of [['list'], ['list', '--help'], ['lsit'], ['list', '--nonsense'], ['list', '-o', 'json']])
    run('profiles', ...words)
  run('--timeout', '9', '--organization', '@current', '--profile', 'prod', 'profiles', 'list')
  run('__complete', '--', 'profiles', 'list', '--out')
  expect(statSync(kept()).mtimeMs).toBe(mtimeMs)
  const names = readdirSync(join(folder, 'dist')).filter(one => one.startsWith('kept-'))
  expect(names.map(name => name.split('-').slice(3).join('-'))).toEqual([
    '__complete-profiles-table',
    'failure',
    'help',
    'profiles-list-json',
    'profiles-list-table',
  ])
})

describe('of a list', () => {
  async function lister() {
    const server = await startServer(personsList(50_000))
    onTestFinished(() => server.close())
    const env = { ANALYTICS_BASE_URL: server.url, ANALYTICS_API_KEY: 'key', ANALYTICS_PROJECT: '1', HOME: folder }
    return (...argv: readonly string[]) =>
      promisify(execFile)(
        'sh',
        ['-c', '"$0" "$@" | tail -n 1', process.execPath, join(folder, 'bin/analytics.js'), ...argv],
        { env },
      )
  }
  test('all is kept that it needs, whatever flags it sets', async () => {
    const list = await lister()
    await list('persons', 'list', '--limit', '3')
    const { mtimeMs } = statSync(kept('persons-list-table'))
    expect((await list('persons', 'list', '--limit', '3')).stdout).toContain('Person 3')
    expect(statSync(kept('persons-list-table')).mtimeMs).toBe(mtimeMs)
  })

  test('as much is kept of a long one as of a short one', async () => {
    const list = await lister()
    const sizeAfter = async (...more: readonly string[]) => {
      rmSync(kept('persons-list-ndjson'), { force: true })
      await list('persons', 'list', '-o', 'ndjson', ...more)
      return statSync(kept('persons-list-ndjson')).size
    }
    expect(await sizeAfter('--all')).toBeGreaterThan((await sizeAfter('--limit', '3')) * 0.9)
  })
})

test('a build of the same length is not taken for the one before', () => {
  expect(run('profiles', 'list')).toBe(right)
  const file = join(folder, 'dist/analytics.js')
  const other = readFileSync(file, 'utf8').replace(/^\/\/ ./, '// x')
  writeFileSync(file, other.replace('No profiles yet', 'No profiles now'))
  for (let i = 0; i < 2; i++) expect(run('profiles', 'list')).toBe(right.replace('yet', 'now'))
})

test('once a day it is kept anew, since the first run may have called little; a failure keeps code where it was a usage error', () => {
  run('profiles', 'list')
  const lastWeek = new Date(Date.now() - 7 * 24 * 60 * 60 * 1000)
  utimesSync(kept(), lastWeek, lastWeek)
  run('profiles', 'list')
  expect(statSync(kept()).mtimeMs).toBeGreaterThan(lastWeek.getTime() + 1000)
  run('profiles', 'show', 'nobody')
  expect(existsSync(kept('failure'))).toBe(false)
  run('profiles', 'lsit')
  expect(existsSync(kept('failure'))).toBe(true)
})

test('where nothing can be kept the program does its work, and leaves no file', () => {
  run('profiles', 'list')
  const file = kept()
  rmSync(file)
  cpSync(join(folder, 'bin'), file, { recursive: true })
  expect(run('profiles', 'list')).toBe(right)
  expect(readdirSync(join(folder, 'dist')).filter(name => name.startsWith('kept-'))).toHaveLength(1)
})

test('what a process with the same number writes in another container stays', () => {
  const env = { ...machine, HOME: folder, NODE: process.execPath, KEPT: kept() }
  const script = 'echo half > "$KEPT.$$"; exec "$NODE" bin/analytics.js profiles list 2>/dev/null'
  execFileSync('sh', ['-c', script], { cwd: folder, env })
  const names = readdirSync(join(folder, 'dist')).filter(name => name.startsWith('kept-'))
  expect(names.map(name => readFileSync(join(folder, 'dist', name), 'latin1').slice(0, 5))).toContain('half\n')
  expect(existsSync(kept())).toBe(true)
})

test('a file that was not written to its end is made anew', () => {
  run('profiles', 'list')
  const whole = readFileSync(kept())
  for (const length of [0, 3, 100, 1000, whole.length - 1]) {
    writeFileSync(kept(), whole.subarray(0, length))
    expect(run('profiles', 'list')).toBe(right)
    expect(statSync(kept()).size).toBeGreaterThan(whole.length * 0.9)
  }
  writeFileSync(kept(), whole.fill(0, (whole.length / 2) | 0))
  expect(run('profiles', 'list')).toBe(right)
  expect(readFileSync(kept()).equals(whole)).toBe(false)
})
