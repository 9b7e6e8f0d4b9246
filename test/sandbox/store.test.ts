/** The file of the sandbox: several processes, kill -9, what is damaged, and what a reset does. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { beforeAll, describe, expect, test } from 'vitest'
import { UsageError } from '../../src/errors.ts'
import { openStore, resetStore } from '../../src/sandbox/open-store.ts'
import { posixTest } from '../posix.ts'
import { newWorld } from '../world.ts'
import { temporaryFolder, visit } from './visit.ts'

const databasePath = (folder: string) => join(folder, 'sandbox.db')
const persons = '/api/projects/1/persons/'
const { clock, processes } = { clock: newWorldClock(), processes: { pid: process.pid, isRunning: () => false } }
const host = { clock, processes, random: () => 0.5, interrupted: new AbortController().signal }

function newWorldClock() {
  return { now: () => Date.now(), elapsed: () => 0, sleep: () => Promise.resolve() }
}

/** Each leaves a file that cannot be used. */
const damages: Readonly<Record<string, (path: string) => void>> = {
  'another kind of file': path => writeFileSync(path, 'not a database at all '.repeat(500)),
  'zeros in its middle': path => {
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.fill(0, 100, bytes.length / 2))
  },
  'one cut in half': path => truncateSync(path, Math.floor(statSync(path).size / 2)),
}

async function madeFolder(): Promise<string> {
  const { folder, ask, close } = await visit()
  await ask('DELETE', `${persons}1/`)
  close()
  // The log holds all of it until then.
  await scripted(folder, 'PRAGMA wal_checkpoint(TRUNCATE)')
  return folder
}

async function scripted(folder: string, sql: string): Promise<void> {
  const { default: Libsql } = await import('libsql')
  const database = new Libsql(databasePath(folder))
  database.exec(sql)
  database.close()
}

describe('the file', () => {
  posixTest('is for its owner only, in a folder of its own', async () => {
    const folder = join(temporaryFolder(), 'a', 'b')
    const { ask } = await visit({ folder })
    await ask('DELETE', `${persons}1/`)
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
    expect(mode(folder)).toBe('700')
    for (const end of ['', '-wal', '-shm']) expect([end, mode(databasePath(folder) + end)]).toEqual([end, '600'])
  })

  test('keeps what was written, and is the same wherever it is made, but for its key', async () => {
    const [one, other] = [await visit(), await visit()]
    for (const path of [`${persons}?limit=1000`, '/api/projects/1/', '/api/projects/2/event_definitions/']) {
      expect((await one.ask('GET', path)).text).toBe((await other.ask('GET', path)).text)
    }
    expect([one.sandbox.key, other.sandbox.key]).toEqual(
      Array(2).fill(expect.stringMatching(/^phx_sandbox_[\da-f]{32}$/)),
    )
    expect(one.sandbox.key).not.toBe(other.sandbox.key)
    const again = await visit({ folder: await madeFolder() })
    expect((await again.get(persons)).count).toBe(54)
  })

  test('of another version is recreated with a notice', async () => {
    const folder = temporaryFolder()
    await scripted(folder, 'CREATE TABLE "its ""own""" (a); PRAGMA user_version = 2')
    const env = { ANALYTICS_STATE_DIR: folder }
    const run = () => newWorld().run(['--sandbox', 'persons', 'get', '1', '-o', 'ids'], { env })
    expect(await run()).toMatchObject({ stdout: '1\n', stderr: expect.stringContaining('was reset') })
    expect(await run()).toMatchObject({ stdout: '1\n', stderr: 'sandbox: made-up data on this machine\n' })
  })

  test.each(
    Object.entries(damages),
  )('that is damaged is named and left as it is, and a reset makes a new one: %s', async (_, damage) => {
    const folder = await madeFolder()
    damage(databasePath(folder))
    const before = readFileSync(databasePath(folder))
    const world = newWorld()
    const env = { ANALYTICS_STATE_DIR: folder, ANALYTICS_SANDBOX: '1' }
    const listed = await world.run(['persons', 'list', '--all'], { env })
    expect([listed.code, listed.stderr]).toEqual([2, expect.stringContaining(`${databasePath(folder)} is damaged`)])
    expect(listed.stderr).toContain('analytics sandbox reset makes a new one')
    expect(readFileSync(databasePath(folder)).equals(before)).toBe(true)
    expect((await world.run(['sandbox', 'reset'], { env })).code).toBe(0)
    expect((await world.run(['persons', 'get', '1', '-o', 'ids'], { env })).stdout).toBe('1\n')
  })

  test('that is a folder is refused', async () => {
    const folder = temporaryFolder()
    mkdirSync(databasePath(folder))
    await expect(visit({ folder })).rejects.toThrow(UsageError)
  })

  posixTest('that cannot be created says why', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'file'), '')
    await expect(visit({ folder: join(folder, 'file') })).rejects.toThrow(
      'cannot be used: a part of the path is a file',
    )
  })

  posixTest('is opened from a folder that others may read', async () => {
    const folder = temporaryFolder()
    chmodSync(folder, 0o755)
    await visit({ folder })
    expect((statSync(databasePath(folder)).mode & 0o777).toString(8)).toBe('600')
  })
})

test('a reset restores everything, also for processes that have it open, and keeps the key', async () => {
  const { folder, sandbox, ask, get } = await visit()
  await ask('DELETE', `${persons}1/`)
  await resetStore(folder, host)
  expect((await get(persons)).count).toBe(55)
  expect((await visit({ folder })).sandbox.key).toBe(sandbox.key)
})

describe('several processes', () => {
  const program = join(import.meta.dirname, '../../node_modules/.cache/sandbox-writer.mjs')

  beforeAll(() =>
    build({
      entryPoints: [join(import.meta.dirname, 'writer.ts')],
      outfile: program,
      bundle: true,
      format: 'esm',
      platform: 'node',
      external: ['libsql'],
      logLevel: 'error',
    }),
  )

  /** Runs one; `onLine` gets each line that it says. */
  function run(words: readonly string[], onLine: (count: number, child: ChildProcess) => void = () => undefined) {
    return new Promise<{ lines: string[]; how: number | string | null }>((resolve, reject) => {
      const child = spawn(process.execPath, ['--no-warnings', program, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
      let [output, complaints] = ['', '']
      child.stderr.on('data', chunk => {
        complaints += chunk
      })
      child.stdout.on('data', chunk => {
        output += chunk
        onLine(output.split('\n').length - 1, child)
      })
      child.on('error', reject)
      child.on('close', (code, signal) => {
        if (complaints) return reject(new Error(complaints))
        resolve({ lines: output.split('\n').slice(0, -1), how: signal ?? code })
      })
    })
  }

  const killedAfter = (lines: number) => (count: number, child: ChildProcess) => {
    if (count >= lines) child.kill('SIGKILL')
  }

  test('ten that start and write at once lose nothing, even when some are killed', async () => {
    const folder = join(temporaryFolder(), 'new')
    const names = Array.from({ length: 10 }, (_, i) => `writer${i}-`)
    const all = await Promise.all(
      names.map((name, i) => (i < 2 ? run([folder, name, '100000'], killedAfter(10 + i)) : run([folder, name, '40']))),
    )
    expect(all.map(({ how }) => how)).toEqual(names.map((_, i) => (i < 2 ? 'SIGKILL' : 0)))
    expect(new Set(all.map(({ lines }) => lines[0])).size).toBe(1)
    const here = await visit({ folder })
    const { properties } = await here.get(`${persons}1/`)
    const acknowledged = all.flatMap(({ lines }) => lines.slice(1))
    expect(acknowledged.length).toBeGreaterThan(320)
    expect(acknowledged.filter(name => !Object.hasOwn(properties, name))).toEqual([])
    expect((await here.get(persons)).count).toBe(55)
  })

  test('one that is killed while it loads leaves nothing of the file', async () => {
    const { folder, get } = await visit()
    const { how } = await run([folder, 'load', '100000'], killedAfter(2))
    expect(how).toBe('SIGKILL')
    expect((await get(persons)).count).toBe(55)
    expect((await run([folder, 'load', '3'])).how).toBe(0)
    expect((await get(persons)).count).toBe(58)
  })

  test('two that reset a damaged file at once end with one that works', async () => {
    const folder = await madeFolder()
    damages['another kind of file']?.(databasePath(folder))
    const all = await Promise.all([1, 2, 3].map(() => run([folder, 'reset', '1'])))
    expect(all.map(({ how }) => how)).toEqual([0, 0, 0])
    const store = await openStore(folder, () => undefined)
    expect(store.database.read(() => store.list('persons', '1').count)).toBe(55)
    store.database.close()
  })
})
