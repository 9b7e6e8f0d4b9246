import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { beforeAll, describe, expect, test } from 'vitest'
import { UsageError } from '../../../src/errors.ts'
import { openStore, resetStore } from '../../../src/sandbox/store/open-store.ts'
import { temporaryFolder, visit } from '../visit.ts'

const databasePath = (folder: string) => join(folder, 'sandbox.db')
const persons = '/api/projects/1/persons/'
const damaged = 'not a database at all '.repeat(500)

describe('the file', () => {
  test('is for its owner only, in a folder of its own', async () => {
    const folder = join(temporaryFolder(), 'a', 'b')
    const { ask } = await visit({ folder })
    await ask('DELETE', `${persons}1/`)
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
    expect(mode(folder)).toBe('700')
    for (const end of ['', '-wal', '-shm']) expect([end, mode(databasePath(folder) + end)]).toEqual([end, '600'])
  })

  test('keeps what was written, and is filled once', async () => {
    const first = await visit()
    await first.ask('DELETE', `${persons}1/`)
    first.sandbox.close()
    const second = await visit({ folder: first.folder })
    expect((await second.get(persons)).count).toBe(54)
    expect(second.sandbox.key).toBe(first.sandbox.key)
  })

  test('is the same wherever it is made, but for its key', async () => {
    const [one, other] = [await visit(), await visit()]
    for (const path of [`${persons}?limit=1000`, '/api/projects/1/', '/api/projects/2/event_definitions/']) {
      expect((await one.ask('GET', path)).text).toBe((await other.ask('GET', path)).text)
    }
    expect(one.sandbox.key).toMatch(/^phx_sandbox_[\da-f]{32}$/)
    expect(one.sandbox.key).not.toBe(other.sandbox.key)
  })

  test('that is damaged is named, and left as it is', async () => {
    const folder = temporaryFolder()
    writeFileSync(databasePath(folder), damaged)
    await expect(visit({ folder })).rejects.toMatchObject({
      exit: 2,
      message: `The sandbox's database ${databasePath(folder)} is damaged`,
      facts: { hint: 'analytics sandbox reset makes a new one' },
    })
    expect(readFileSync(databasePath(folder), 'utf8')).toBe(damaged)
  })

  test('of another version is refused, not emptied', async () => {
    const { folder, sandbox } = await visit()
    sandbox.close()
    const store = await openStore(folder)
    store.script('PRAGMA user_version = 99')
    store.close()
    await expect(visit({ folder })).rejects.toThrow(/another version of analytics$/)
  })

  test('that cannot be made says why', async () => {
    const folder = temporaryFolder()
    mkdirSync(databasePath(folder))
    await expect(visit({ folder })).rejects.toThrow(UsageError)
    writeFileSync(join(folder, 'file'), '')
    for (const [name, why] of [
      ['file', 'something else has that name'],
      ['file/sub', 'part of the path is a file'],
    ] as const) {
      const path = databasePath(join(folder, name))
      await expect(visit({ folder: join(folder, name) })).rejects.toThrow(`${path} cannot be opened: ${why}`)
    }
  })

  test.skipIf(process.platform === 'win32')('in whose place is a pipe or a device is not waited for', async () => {
    for (const make of [
      (path: string) => execFileSync('mkfifo', [path]),
      (path: string) => symlinkSync('/dev/zero', path),
    ]) {
      const folder = temporaryFolder()
      make(databasePath(folder))
      await expect(visit({ folder })).rejects.toThrow('cannot be opened: that is no regular file')
    }
  })

  test('is opened from a folder that others may read', async () => {
    const folder = temporaryFolder()
    chmodSync(folder, 0o755)
    await visit({ folder })
    expect((statSync(databasePath(folder)).mode & 0o777).toString(8)).toBe('600')
  })
})

describe('a reset', () => {
  test('brings everything back, and keeps the key', async () => {
    const { folder, ask, get } = await visit()
    await ask('DELETE', `${persons}1/`)
    await resetStore(folder)
    expect((await get(persons)).count).toBe(55)
  })

  test('is seen by those who have it open', async () => {
    const { folder, ask, get } = await visit()
    await ask('DELETE', `${persons}1/`)
    await resetStore(folder)
    expect((await get(persons)).count).toBe(55)
  })

  test('mends what is damaged', async () => {
    const folder = temporaryFolder()
    writeFileSync(databasePath(folder), damaged)
    await resetStore(folder)
    expect((await (await visit({ folder })).get(persons)).count).toBe(55)
  })

  test('takes the place of another version, whose file stays, since Windows removes no open file', async () => {
    const { folder, sandbox } = await visit()
    sandbox.close()
    const store = await openStore(folder)
    store.script(
      'PRAGMA user_version = 99; DROP TABLE events; CREATE TABLE "its ""own""" (a); CREATE INDEX b ON "its ""own""" (a)',
    )
    store.close()
    const { ino } = statSync(databasePath(folder))
    await resetStore(folder)
    expect((await (await visit({ folder })).get(persons)).count).toBe(55)
    expect(statSync(databasePath(folder)).ino).toBe(ino)
  })

  test('says so where a damaged file cannot be removed', async () => {
    const folder = temporaryFolder()
    writeFileSync(databasePath(folder), damaged)
    mkdirSync(`${databasePath(folder)}-shm`)
    await expect(resetStore(folder)).rejects.toMatchObject({
      exit: 2,
      message: expect.stringContaining('cannot be removed'),
    })
  })

  test('makes one where there is none', async () => {
    const folder = temporaryFolder()
    await resetStore(folder)
    expect(existsSync(databasePath(folder))).toBe(true)
  })
})

describe('several processes', () => {
  let program: string

  beforeAll(async () => {
    program = join(import.meta.dirname, '../../../node_modules/.cache/sandbox-writer.mjs')
    await build({
      entryPoints: [join(import.meta.dirname, 'writer.ts')],
      outfile: program,
      bundle: true,
      format: 'esm',
      platform: 'node',
      external: ['libsql'],
      logLevel: 'error',
    })
  })

  /** Runs one; `killAfter` ends it without notice once it has said so many lines. */
  function run(folder: string, name: string, count: number, killAfter = Number.POSITIVE_INFINITY) {
    return new Promise<{ lines: string[]; how: number | string | null }>((resolve, reject) => {
      const child = spawn(process.execPath, ['--no-warnings', program, folder, name, String(count)], {
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let output = ''
      let complaints = ''
      child.stderr.on('data', chunk => {
        complaints += chunk
      })
      child.stdout.on('data', chunk => {
        output += chunk
        if (output.split('\n').length > killAfter) child.kill('SIGKILL')
      })
      child.on('error', reject)
      child.on('close', (code, signal) => {
        if (complaints) return reject(new Error(complaints))
        resolve({ lines: output.split('\n').slice(0, -1), how: signal ?? code })
      })
    })
  }

  test('that start at once fill it once', async () => {
    const folder = join(temporaryFolder(), 'new')
    const all = await Promise.all(['a', 'b', 'c', 'd'].map(name => run(folder, name, 1)))
    expect(new Set(all.map(({ lines }) => lines[0])).size).toBe(1)
    expect(all.map(({ lines }) => lines[1])).toEqual(['a0', 'b0', 'c0', 'd0'])
    expect((await (await visit({ folder })).get(persons)).count).toBe(55)
  })

  test('that write at once lose nothing, even when one is killed', async () => {
    const folder = temporaryFolder()
    const [killed, lived, other] = await Promise.all([
      run(folder, 'killed', 100_000, 60),
      run(folder, 'lived', 300),
      run(folder, 'other', 300),
    ])
    expect([killed.how, lived.how, other.how]).toEqual(['SIGKILL', 0, 0])
    const here = await visit({ folder })
    const { properties } = await here.get(`${persons}1/`)
    const acknowledged = [killed, lived, other].flatMap(({ lines }) => lines.slice(1))
    expect(acknowledged.length).toBeGreaterThanOrEqual(650)
    expect(acknowledged.filter(name => !Object.hasOwn(properties, name))).toEqual([])
    const store = await openStore(folder)
    expect(store.get('PRAGMA integrity_check')).toMatchObject({ integrity_check: 'ok' })
    store.close()
  })
})
