/** The file of the sandbox: several processes, kill -9, damage, and a reset. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { beforeAll, describe, expect, test } from 'vitest'
import { UsageError } from '../../src/errors.ts'
import { Database } from '../../src/sandbox/database.ts'
import { openStore, resetStore } from '../../src/sandbox/open-store.ts'
import { posixTest } from '../posix.ts'
import { newWorld } from '../world.ts'
import { temporaryFolder, visit } from './visit.ts'

const databasePath = (folder: string) => join(folder, 'sandbox.db')
const persons = '/api/projects/1/persons/'
const host = {
  clock: { now: Date.now, elapsed: () => 0, sleep: () => Promise.resolve() },
  processes: { pid: process.pid, isRunning: () => false },
  random: () => 0.5,
  interrupted: new AbortController().signal,
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

async function newSandboxFolder(): Promise<string> {
  const { folder, request, close } = await visit()
  request('DELETE', `${persons}1/`)
  close()
  // Until then, all data is in the log file.
  await runSql(folder, 'PRAGMA wal_checkpoint(TRUNCATE)')
  return folder
}

async function runSql(folder: string, sql: string): Promise<void> {
  const database = await Database.open(databasePath(folder))
  database.script(sql)
  database.close()
}

describe('the file', () => {
  posixTest('is for its owner only, in a folder of its own', async () => {
    const folder = join(temporaryFolder(), 'a', 'b')
    const { request } = await visit({ folder })
    request('DELETE', `${persons}1/`)
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
    expect(mode(folder)).toBe('700')
    for (const end of ['', '-wal', '-shm']) expect([end, mode(databasePath(folder) + end)]).toEqual([end, '600'])
  })

  test('keeps what was written; two new ones differ only in the key', async () => {
    const [one, other] = [await visit(), await visit()]
    for (const path of [`${persons}?limit=1000`, '/api/projects/1/', '/api/projects/2/event_definitions/']) {
      expect(one.request('GET', path).text).toBe(other.request('GET', path).text)
    }
    expect([one.sandbox.key, other.sandbox.key]).toEqual(
      Array(2).fill(expect.stringMatching(/^phx_sandbox_[\da-f]{32}$/)),
    )
    expect(one.sandbox.key).not.toBe(other.sandbox.key)
    const again = await visit({ folder: await newSandboxFolder() })
    expect((await again.get(persons)).count).toBe(54)
  })

  test('of another version is recreated with a notice', async () => {
    const folder = temporaryFolder()
    await runSql(folder, 'CREATE TABLE "its ""own""" (a); PRAGMA user_version = 2')
    const env = { ANALYTICS_STATE_DIR: folder }
    const run = () => newWorld().run(['--sandbox', 'persons', 'get', '1', '-o', 'ids'], { env })
    expect(await run()).toMatchObject({ stdout: '1\n', stderr: expect.stringContaining('was reset') })
    expect(await run()).toMatchObject({ stdout: '1\n', stderr: 'sandbox: made-up data on this machine\n' })
  })

  test.each(
    Object.entries(damages),
  )('that is damaged is named and left as it is, and a reset makes a new one: %s', async (_, damage) => {
    const folder = await newSandboxFolder()
    damage(databasePath(folder))
    const before = readFileSync(databasePath(folder))
    const world = newWorld()
    const env = { ANALYTICS_STATE_DIR: folder, ANALYTICS_SANDBOX: '1' }
    const listed = await world.run(['persons', 'list', '--all'], { env })
    expect([listed.code, listed.stderr]).toEqual([2, expect.stringContaining(`${databasePath(folder)} is damaged`)])
    expect(listed.stderr).toContain('To make a new one: analytics sandbox reset')
    expect(readFileSync(databasePath(folder)).equals(before)).toBe(true)
    expect((await world.run(['sandbox', 'reset'], { env })).code).toBe(0)
    expect((await world.run(['persons', 'get', '1', '-o', 'ids'], { env })).stdout).toBe('1\n')
  })

  test('that is a folder is refused', async () => {
    const folder = temporaryFolder()
    mkdirSync(databasePath(folder))
    await expect(visit({ folder })).rejects.toThrow(UsageError)
  })

  posixTest('that cannot be created is reported with the reason', async () => {
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
  const { folder, sandbox, request, get } = await visit()
  request('DELETE', `${persons}1/`)
  await resetStore(folder, host)
  expect(get(persons).count).toBe(55)
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

  /** `onLine` gets the number of lines that the process printed. */
  function run(words: readonly string[], onLine: (count: number, child: ChildProcess) => void = () => undefined) {
    return new Promise<{ lines: string[]; ending: number | string | null }>((resolve, reject) => {
      const child = spawn(process.execPath, ['--no-warnings', program, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
      let [output, errors] = ['', '']
      child.stderr.on('data', chunk => {
        errors += chunk
      })
      child.stdout.on('data', chunk => {
        output += chunk
        onLine(output.split('\n').length - 1, child)
      })
      child.on('error', reject)
      child.on('close', (code, signal) => {
        if (errors) return reject(new Error(errors))
        resolve({ lines: output.split('\n').slice(0, -1), ending: signal ?? code })
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
    expect(all.map(({ ending }) => ending)).toEqual(names.map((_, i) => (i < 2 ? 'SIGKILL' : 0)))
    expect(new Set(all.map(({ lines }) => lines[0])).size).toBe(1)
    const here = await visit({ folder })
    const { properties } = here.get(`${persons}1/`)
    const acknowledged = all.flatMap(({ lines }) => lines.slice(1))
    expect(acknowledged.length).toBeGreaterThan(320)
    expect(acknowledged.filter(name => !Object.hasOwn(properties, name))).toEqual([])
    expect(here.get(persons).count).toBe(55)
  })

  test('one that is killed while it loads leaves nothing of the file', async () => {
    const { folder, get } = await visit()
    const { ending } = await run([folder, 'load', '100000'], killedAfter(2))
    expect(ending).toBe('SIGKILL')
    expect(get(persons).count).toBe(55)
    expect((await run([folder, 'load', '3'])).ending).toBe(0)
    expect(get(persons).count).toBe(58)
  })

  test('two that reset a damaged file at once end with one that works', async () => {
    const folder = await newSandboxFolder()
    damages['another kind of file']?.(databasePath(folder))
    const all = await Promise.all([1, 2, 3].map(() => run([folder, 'reset', '1'])))
    expect(all.map(({ ending }) => ending)).toEqual([0, 0, 0])
    const store = await openStore(folder, () => undefined)
    expect(store.database.read(() => store.list('persons', '1').count)).toBe(55)
    store.database.close()
  })
})
