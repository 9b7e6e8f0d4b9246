/** Profiles with real processes: many at once, killed ones, and what other users can see of a key. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { tryLock } from '../../src/locks/lock.ts'
import { fakeClock } from '../clock.ts'
import { needsPosix } from '../posix.ts'
import { json, serve } from '../server.ts'
import { analytics, emptyHome, start } from './program.ts'

needsPosix('modes')

const root = join(import.meta.dirname, '../..')

const add = (name: string, home: string) =>
  analytics(
    ['profiles', 'add', name, '--base-url', 'https://a.example.com', '--api-key-stdin'],
    { HOME: home },
    `key-of-${name}`,
  )
const folderOf = (home: string) => join(home, '.config', 'analytics')
const stored = (home: string) => JSON.parse(readFileSync(join(folderOf(home), 'config.json'), 'utf8'))

test('ten processes that add a profile at once leave ten profiles, and nothing else', async () => {
  const home = emptyHome()
  const names = Array.from({ length: 10 }, (_, i) => `p${i}`)
  const ran = await Promise.all(names.map(name => add(name, home)))
  expect(ran.filter(({ code }) => code !== 0)).toEqual([])
  expect(Object.keys(stored(home).profiles).sort()).toEqual([...names].sort())
  expect(names).toContain(stored(home).current)
  expect(readdirSync(folderOf(home))).toEqual(['config.json'])
  expect(statSync(join(folderOf(home), 'config.json')).mode & 0o777).toBe(0o600)
})

test.runIf(process.getuid?.() === 0)('a user without an account and a home folder keeps profiles', ({ skip }) => {
  // Not in TMPDIR or in the project, which only root may be able to enter.
  const folder = mkdtempSync('/tmp/analytics-nobody-')
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of ['bin', 'dist', 'package.json']) cpSync(join(root, name), join(folder, name), { recursive: true })
  execFileSync('chown', ['-R', '54321:54321', folder])
  const env = { PATH: process.env.PATH, ANALYTICS_CONFIG_DIR: join(folder, 'config') }
  const as = { uid: 54_321, gid: 54_321, env, cwd: folder, encoding: 'utf8' } as const
  const run = (argv: readonly string[], input = '') => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/analytics.js', ...argv], { ...as, input })
    return [status, stdout, stderr]
  }
  if (spawnSync(process.execPath, ['--version'], as).error) return skip('Only root can start node')
  const added = run(['profiles', 'add', 'ci', '--base-url', 'https://a.example.com', '--api-key-stdin', '-q'], 'key')
  expect(added).toEqual([0, '', ''])
  expect(run(['profiles', 'list', '-o', 'ids'])).toEqual([0, 'ci\n', ''])
})

test('a lock of a killed process is replaced at once', async () => {
  const home = emptyHome()
  mkdirSync(folderOf(home), { recursive: true })
  const gone = spawn(process.execPath, ['-e', ''])
  await new Promise(resolve => gone.once('close', resolve))
  const lock = join(folderOf(home), 'config.json.lock')
  tryLock(lock, { clock: fakeClock(), processes: { pid: gone.pid ?? 0, isRunning: () => true } })
  // The time of the lock is recent, so only the missing process shows that it is free.
  const later = new Date(Date.now() + 3600_000)
  utimesSync(lock, later, later)
  const ran = await Promise.all(['a', 'b', 'c', 'd'].map(name => add(name, home)))
  // A wait for a held lock would exit with 2.
  expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0])
  expect(Object.keys(stored(home).profiles).sort()).toEqual(['a', 'b', 'c', 'd'])
  expect(existsSync(lock)).toBe(false)
})

test('processes that are killed at any moment leave a valid file, and no lock', async () => {
  const home = emptyHome()
  await add('first', home)
  const lock = join(folderOf(home), 'config.json.lock')
  for (let i = 0; i < 12; i++) {
    const argv = ['profiles', 'set', 'first', '--project', String(i)]
    const { child, finished } = start(argv, { HOME: home })
    const watching = new Promise<void>(resolve => {
      const look = () => (child.exitCode !== null || existsSync(lock) ? resolve() : setImmediate(look))
      look()
    })
    await watching
    child.kill('SIGKILL')
    await finished
    // An empty lock names no process, so only its age shows that it is free.
    if (existsSync(lock) && statSync(lock).size === 0) utimesSync(lock, 0, 0)
    expect(stored(home).profiles.first).toMatchObject({ apiKey: 'key-of-first' })
  }
  expect((await add('last', home)).code).toBe(0)
  expect(Object.keys(stored(home).profiles)).toEqual(['first', 'last'])
  expect(readdirSync(folderOf(home)).filter(name => name.startsWith('.'))).toEqual([])
})

test.runIf(existsSync('/proc/self/cmdline'))(
  'what other users can see of a running command has no key in it',
  async () => {
    const home = emptyHome()
    let seen = ''
    const server = await serve((_, response) => {
      seen = readFileSync(`/proc/${started.child.pid}/cmdline`, 'utf8')
      json(response, { results: [], next: null })
    })
    const addArgv = ['profiles', 'add', 'p', '--base-url', server.url, '--api-key-stdin']
    await analytics(addArgv, { HOME: home }, 'key-of-p')
    const started = start(['projects', 'list', '--debug'], { HOME: home })
    const { code, stderr } = await started.finished
    expect([code, server.asked[0]?.headers.authorization]).toEqual([0, 'Bearer key-of-p'])
    expect(seen).toContain('projects')
    expect(seen + stderr).not.toContain('key-of')
  },
)
