/** How the program starts: prepared texts, old versions of Node, and Node's compile cache. */
import { execFile, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import * as nodeModule from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as fc from '../fast-check.ts'
import { needsPosix } from '../posix.ts'
import { type Env, machine } from '../process/program.ts'
import { personsList, serve } from '../server.ts'

needsPosix('modes and links')

const root = join(import.meta.dirname, '../..')
const hasCompileCache = 'enableCompileCache' in nodeModule
const isRoot = process.getuid?.() === 0

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'analytics-start-'))
  for (const name of ['bin', 'dist']) cpSync(join(root, name), join(folder, name), { recursive: true })
  mkdirSync(join(folder, 'home'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const home = (...path: readonly string[]) => join(folder, 'home', ...path)
const program = () => join(folder, 'bin/analytics.js')

interface Ended {
  readonly stdout: string
  readonly stderr: string
  readonly status: number | null
}

function run(argv: readonly string[], env: Env = {}, flags: readonly string[] = []): Ended {
  const words = [...flags, program(), ...argv]
  const { stdout, stderr, status } = spawnSync(process.execPath, words, {
    env: { ...machine, HOME: home(), ...env },
    encoding: 'utf8',
    timeout: 60_000,
  })
  return { stdout, stderr, status }
}

const noProfiles = { stderr: expect.stringMatching(/^No profiles/), status: 0 }

/** The files below a folder; none if it is missing. */
function filesIn(path: string): readonly string[] {
  if (!existsSync(path)) return []
  const entries = readdirSync(path, { recursive: true, encoding: 'utf8' })
  return entries.filter(name => statSync(join(path, name)).isFile())
}

test('a copy that is not built says so', () => {
  for (const name of ['analytics.js', 'prepared.json']) rmSync(join(folder, 'dist', name))
  const stderr = 'This copy of analytics is not built.\nRun npm ci in its folder.\n'
  expect(run(['persons', 'list'])).toEqual({ stdout: '', stderr, status: 1 })
})

test('a Node older than 20 exits with 2 and one sentence that names both versions', () => {
  const old = join(folder, 'old.cjs')
  writeFileSync(old, "Object.defineProperty(process.versions, 'node', { value: '18.20.8' })")
  for (const argv of [['--version'], ['persons', 'delete', '1', '--yes']]) {
    const stderr = 'analytics requires Node 20 or later. This is Node 18.20.8.\n'
    expect(run(argv, {}, ['--require', old])).toEqual({ stdout: '', stderr, status: 2 })
  }
})

test('damaged prepared texts are printed by the program', () => {
  const prepared = [run(['--version']), run(['--help'])]
  for (const damaged of ['{"answers":', 'null', '{}']) {
    writeFileSync(join(folder, 'dist/prepared.json'), damaged)
    expect([run(['--version']), run(['--help'])]).toEqual(prepared)
  }
})

test.each([
  [''],
  ['persons', 'del'],
  ['persons', '-'],
  ['help', ''],
])('the prepared completions of %j are those of the program', (...words) => {
  const candidates = () => run(['__complete', '--', ...words])
  const prepared = candidates()
  writeFileSync(join(folder, 'dist/prepared.json'), '')
  expect(prepared).toEqual(candidates())
})

// The build finds them by the form in which esbuild writes them.
test.each(['undici', 'analytics'])('V8 compiles the modules that each command loads with dist/%s.js', name => {
  expect(readFileSync(join(folder, `dist/${name}.js`), 'utf8')).toContain('run:(function(')
})

test('nothing is written beside the program', () => {
  const before = filesIn(folder).filter(name => !name.startsWith('home'))
  for (const argv of [['--version'], ['profiles', 'list'], ['profiles', 'lsit'], ['profiles', '--help']]) run(argv)
  expect(filesIn(folder).filter(name => !name.startsWith('home'))).toEqual(before)
})

test.skipIf(hasCompileCache)('a Node without a compile cache writes nothing', () => {
  expect(run(['profiles', 'list'])).toMatchObject(noProfiles)
  expect(readdirSync(home())).toEqual([])
})

describe.skipIf(!hasCompileCache)('the compile cache of Node', () => {
  test('is in the cache folder of the user, for this user only, and does not grow', () => {
    run(['profiles', 'list'])
    const files = filesIn(home())
    expect(files).toEqual([expect.stringMatching(/^\.cache\/analytics\/.*/)])
    expect(statSync(home('.cache/analytics')).mode & 0o777).toBe(0o700)
    for (const argv of [
      ['profiles', 'list', '-o', 'json'],
      ['jobs', 'list'],
      ['profiles', 'lsit'],
    ])
      run(argv)
    expect(filesIn(home())).toEqual(files)
  })

  test('follows XDG_CACHE_HOME if that is an absolute path', () => {
    run(['profiles', 'list'], { XDG_CACHE_HOME: home('xdg') })
    expect(filesIn(home())).toEqual([expect.stringMatching(/^xdg\/analytics\//)])
    rmSync(home('xdg'), { recursive: true })
    run(['profiles', 'list'], { XDG_CACHE_HOME: 'relative' })
    expect(filesIn(home())).toEqual([expect.stringMatching(/^\.cache\/analytics\//)])
  })

  test('respects NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE', () => {
    run(['profiles', 'list'], { NODE_COMPILE_CACHE: home('chosen') })
    expect(readdirSync(home())).toEqual(['chosen'])
    rmSync(home('chosen'), { recursive: true })
    run(['profiles', 'list'], { NODE_DISABLE_COMPILE_CACHE: '1' })
    expect(readdirSync(home())).toEqual([])
  })

  test('can be missing: a file, a dangling link or a missing home in its place', () => {
    writeFileSync(home('file'), '')
    symlinkSync(home('nowhere/else'), home('link'))
    for (const XDG_CACHE_HOME of [home('file'), home('link')]) {
      expect(run(['profiles', 'list'], { XDG_CACHE_HOME })).toMatchObject(noProfiles)
    }
    for (const HOME of ['/dev/null', '/proc', home('missing')]) {
      const expected = run(['profiles', 'list'], { HOME, NODE_DISABLE_COMPILE_CACHE: '1' })
      expect(run(['profiles', 'list'], { HOME })).toEqual(expected)
    }
    expect(existsSync(home('missing'))).toBe(false)
  })

  test.skipIf(process.platform === 'win32' || isRoot)('can be missing if the home is read-only', () => {
    chmodSync(home(), 0o500)
    expect(run(['profiles', 'list'])).toMatchObject(noProfiles)
    expect(readdirSync(home())).toEqual([])
    chmodSync(home(), 0o700)
  })

  test.skipIf(process.platform === 'win32')(
    'is not used in a folder of another user, or that others can write to',
    () => {
      mkdirSync(home('.cache/analytics'), { recursive: true })
      chmodSync(home('.cache/analytics'), 0o777)
      expect(run(['profiles', 'list'])).toMatchObject(noProfiles)
      expect(filesIn(home())).toEqual([])
      if (!isRoot) return
      chmodSync(home('.cache/analytics'), 0o700)
      chownSync(home('.cache/analytics'), 65534, 65534)
      expect(run(['profiles', 'list'])).toMatchObject(noProfiles)
      expect(filesIn(home())).toEqual([])
    },
  )

  test('of another build is not used', () => {
    run(['profiles', 'list'])
    const file = join(folder, 'dist/analytics.js')
    // The same length, since Node compares lengths before it compares checksums.
    const other = readFileSync(file, 'utf8').replace('No profiles', 'NO PROFILES')
    writeFileSync(file, other)
    for (let i = 0; i < 2; i++) {
      expect(run(['profiles', 'list'])).toMatchObject({ stderr: expect.stringMatching(/^NO PROFILES/), status: 0 })
    }
  })

  test('changes no result when it is damaged at random', { timeout: 900_000 }, async () => {
    const server = await serve(personsList(3))
    const env = { ...machine, HOME: home(), ...server.env }
    const list = async () => {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [program(), 'persons', 'list'], { env })
      return { stdout, stderr }
    }
    const good = await list()
    expect(good.stdout).toContain('Person 3')
    // One file for the program and one for each package beside it.
    const cached = filesIn(home()).map(name => ({ name, bytes: readFileSync(home(name)) }))
    expect(cached.length).toBeGreaterThan(1)
    const place = fc.double({ min: 0, max: 1, noNaN: true })
    const size = fc.constantFrom(1, 3, 64, 4096, 100_000)
    const kinds = fc.constantFrom<(bytes: Buffer, from: number, size: number) => Buffer>(
      (bytes, from) => bytes.subarray(0, from),
      (bytes, from, size) => bytes.fill(0, from, Math.min(bytes.length, from + size)),
      (bytes, from, size) => bytes.fill(0xff, from, Math.min(bytes.length, from + size)),
      (bytes, from, size) => Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + size)]),
      (bytes, from, size) => Buffer.concat([bytes, bytes.subarray(from, from + size)]),
      (bytes, from, size) => {
        for (let i = from; i < Math.min(bytes.length, from + size); i++) bytes[i] = (bytes[i] ?? 0) ^ (1 << (i % 8))
        return bytes
      },
    )
    // Half of the damage is in the first 64 bytes, where Node keeps what it checks.
    const headFirst = fc.oneof(
      place,
      fc.nat(64).map(byte => byte / 300_000),
    )
    const one = fc.constantFrom(...cached)
    const property = fc.asyncProperty(kinds, one, headFirst, size, async (damage, { name, bytes }, from, size) => {
      writeFileSync(home(name), damage(Buffer.from(bytes), Math.floor(from * bytes.length), size))
      expect(await list()).toEqual(good)
    })
    await fc.assert(property, { numRuns: 200 })
  })
})

test('a closed pipe counts as printed', () => {
  const line = '("$NODE" bin/analytics.js --help; echo "$?" >&2) | true'
  const { stderr } = spawnSync('sh', ['-c', line], { cwd: folder, env: { ...machine, NODE: process.execPath } })
  expect(String(stderr)).toBe('0\n')
})
