/** The compiled code that is kept beside the program: never that of another build, and nobody else's to write. */
import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { machine } from '../process/program.ts'
import { hasTerminal } from '../process/terminal.ts'

const root = join(import.meta.dirname, '../..')
const isRoot = process.getuid?.() === 0
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'analytics-compiled-'))
  const filter = (path: string) => !path.startsWith(join(root, 'dist/cache'))
  for (const name of ['bin', 'dist']) cpSync(join(root, name), join(folder, name), { recursive: true, filter })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** stderr and the exit code of a run. */
function run(...argv: readonly string[]): string {
  const shell = 'umask 0; "$NODE" bin/analytics.js "$@" 2>&1 >/dev/null; echo "exit $?"'
  const env = { ...machine, HOME: folder, NODE: process.execPath }
  return execFileSync('sh', ['-c', shell, 'sh', ...argv], { cwd: folder, env, encoding: 'utf8' })
}

test('a copy that is not built says so', () => {
  for (const name of ['analytics.js', 'prepared.json']) rmSync(join(folder, 'dist', name))
  const message = 'This copy of analytics is not built yet.\nRun npm ci in its folder.\nexit 1\n'
  expect([run(), run('--version'), run('persons', 'list')]).toEqual([message, message, message])
})

test('damaged prepared answers are answered by the program', () => {
  for (const damaged of ['', '{"answers":', 'null', '[]', '{}']) {
    writeFileSync(join(folder, 'dist/prepared.json'), damaged)
    expect([run('--version'), run('--help')]).toEqual(['exit 0\n', 'exit 0\n'])
  }
})

test.each([
  [''],
  ['p'],
  ['persons', ''],
  ['persons', 'del'],
  ['persons', 'x'],
  ['persons', '-'],
  ['help', ''],
])('a shell gets the prepared words of %j as the program gives them', (...words) => {
  const candidates = () =>
    execFileSync(process.execPath, ['bin/analytics.js', '__complete', '--', ...words], { cwd: folder, env: machine })
  const prepared = candidates()
  writeFileSync(join(folder, 'dist/prepared.json'), '')
  expect(String(prepared)).toBe(String(candidates()))
})

/** The files of compiled code. */
function kept(): string[] {
  const entries = readdirSync(join(folder, 'dist/cache'), { recursive: true, withFileTypes: true })
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
}

const right = 'No profiles yet; add one with analytics profiles add NAME\nexit 0\n'

test('a build of the same length is not taken for the one before', () => {
  expect(run('profiles', 'list')).toBe(right)
  const file = join(folder, 'dist/reads.js')
  writeFileSync(file, readFileSync(file, 'utf8').replace('No profiles yet', 'No profiles now'))
  for (let i = 0; i < 2; i++) expect(run('profiles', 'list')).toBe(right.replace('yet', 'now'))
})

test('a second run changes nothing, and nobody else may write what it runs', () => {
  run('profiles', 'list')
  const before = kept().map(file => [file, statSync(file).mtimeMs])
  expect(before.length).toBeGreaterThan(1)
  run('profiles', 'list')
  expect(kept().map(file => [file, statSync(file).mtimeMs])).toEqual(before)
  for (const file of kept()) expect([file, statSync(file).mode & 0o022]).toEqual([file, 0])
})

test('a run that needs another file keeps again the ones that earlier runs kept, with what it compiled of them', () => {
  run('profiles', 'list')
  const [main = ''] = kept().filter(file => file.endsWith('analytics.js'))
  const { size } = statSync(main)
  run('completion', 'bash')
  expect(statSync(main).size).toBeGreaterThan(size)
})

test('a file that is cut short or empty is made anew', () => {
  run('profiles', 'list')
  const whole = new Map(kept().map(file => [file, statSync(file).size]))
  for (const length of [0, 3, 1000]) {
    for (const file of whole.keys()) writeFileSync(file, readFileSync(file).subarray(0, length))
    expect(run('profiles', 'list')).toBe(right)
    for (const [file, size] of whole) expect(statSync(file).size).toBeGreaterThan(size * 0.9)
  }
})

test('a run that can keep nothing does not ask V8 for the code, and leaves no file', () => {
  const hook = join(folder, 'hook.cjs')
  const asked = join(folder, 'asked')
  writeFileSync(
    hook,
    `require('node:vm').Script.prototype.createCachedData = () => {
      require('node:fs').appendFileSync(${JSON.stringify(asked)}, '.')
      return Buffer.alloc(1)
    }`,
  )
  const node = `${process.execPath} --require ${hook}`
  const withHook = () => execFileSync('sh', ['-c', `${node} bin/analytics.js profiles list`], { cwd: folder })
  writeFileSync(join(folder, 'dist/cache'), '')
  withHook()
  expect(existsSync(asked)).toBe(false)
  expect(readdirSync(join(folder, 'dist')).filter(name => name.startsWith('cache'))).toEqual(['cache'])
  rmSync(join(folder, 'dist/cache'))
  withHook()
  expect(existsSync(asked)).toBe(true)
})

test.skipIf(!hasTerminal)('without the file of the moving line a run at a terminal does its work', () => {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  rmSync(join(folder, 'dist/lib/ora.js'))
  const line = `stty cols 80; ${process.execPath} bin/analytics.js --sandbox persons update 30 31 --set plan=pro --yes`
  const env = { ...machine, HOME: folder, TERM: 'xterm' }
  const seen = execFileSync('script', ['-qefc', line, '/dev/null'], { cwd: folder, env, encoding: 'utf8' })
  expect(seen).toContain('Changed 2 persons')
})

describe.skipIf(process.platform === 'win32')('a program that its user may not write to', () => {
  const user = 65_534
  /** Runs it as an ordinary user, and names the files that the user's cache then has. */
  function runAsUser(home: string): readonly string[] {
    const env = { ...machine, HOME: home, NODE: process.execPath }
    const words = isRoot ? ['--reuid', `${user}`, '--regid', `${user}`, '--clear-groups'] : []
    const line = [...(isRoot ? ['setpriv', ...words] : []), process.execPath, 'bin/analytics.js', 'profiles', 'list']
    execFileSync(line[0] ?? '', line.slice(1), { cwd: folder, env, stdio: 'ignore' })
    const cache = join(home, '.cache')
    if (!existsSync(cache)) return []
    const entries = readdirSync(cache, { recursive: true, withFileTypes: true })
    return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  }

  let home: string
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'analytics-home-'))
    if (isRoot) chownSync(home, user, user)
    for (const place of [folder, join(folder, 'dist')]) chmodSync(place, 0o555)
  })
  afterEach(() => {
    for (const place of [folder, join(folder, 'dist')]) chmodSync(place, 0o755)
    rmSync(home, { recursive: true, force: true })
  })

  test("keeps compiled code in the user's cache, which only the user may read, and uses it", () => {
    const files = runAsUser(home)
    expect(files.some(file => file.endsWith('analytics.js'))).toBe(true)
    const [place = ''] = readdirSync(join(home, '.cache'))
    expect(statSync(join(home, '.cache', place)).mode & 0o777).toBe(0o700)
    const before = files.map(file => statSync(file).mtimeMs)
    expect(runAsUser(home).map(file => statSync(file).mtimeMs)).toEqual(before)
    expect(existsSync(join(folder, 'dist/cache'))).toBe(false)
  })

  test('runs nothing from a folder that others may write to, nor through a link', () => {
    const [file = ''] = runAsUser(home)
    const [name = ''] = readdirSync(join(home, '.cache'))
    const place = join(home, '.cache', name)
    chmodSync(place, 0o777)
    writeFileSync(file, '')
    runAsUser(home)
    expect(statSync(file).size).toBe(0)
    chmodSync(place, 0o700)
    renameSync(place, `${place}-other`)
    symlinkSync(`${place}-other`, place)
    runAsUser(home)
    expect(statSync(file).size).toBe(0)
  })
})

/** `npm run chaos` asks for more rounds than the suite has. */
const rounds = Number(process.env.CHAOS ?? 4)

test(`damaged bytes never reach V8, and are replaced: ${rounds} rounds`, { timeout: 120_000 + rounds * 5_000 }, () => {
  run('profiles', 'list')
  const files = kept()
  for (let round = 0; round < rounds; round++) {
    const damaged = files.map(file => [file, flipped(readFileSync(file))] as const)
    for (const [file, bytes] of damaged) writeFileSync(file, bytes)
    expect(run('profiles', 'list')).toBe(right)
    for (const [file, bytes] of damaged) expect(readFileSync(file).equals(bytes)).toBe(false)
  }
})

/** With 1 to 16 of its bytes changed. */
function flipped(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  for (let left = randomInt(1, 17); left > 0; left--) {
    const at = randomInt(copy.length)
    copy[at] = (copy[at] ?? 0) ^ randomInt(1, 256)
  }
  return copy
}
