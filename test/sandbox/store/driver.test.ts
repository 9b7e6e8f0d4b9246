/** The databases that the sandbox can use behave alike, and say so where there is none. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { databaseFailure } from '../../../src/sandbox/store/database-errors.ts'
import { drivers, loadDriver } from '../../../src/sandbox/store/driver.ts'
import { createTables } from '../../../src/sandbox/store/schema.ts'
import { Store } from '../../../src/sandbox/store/store.ts'
import { temporaryFolder } from '../visit.ts'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const hasOwn = major > 22 || (major === 22 && minor >= 13)
const here = hasOwn ? (['node', 'libsql'] as const) : (['libsql'] as const)

describe.each(here)('the driver %s', name => {
  test('keeps integers beyond 2^53, texts with line ends and emoji, and fractions exactly', async () => {
    const open = await drivers[name]()
    const store = new Store('kept', open(join(temporaryFolder(), 'kept.db')))
    store.script('CREATE TABLE kept (id INTEGER PRIMARY KEY, number REAL, text TEXT)')
    expect(store.run('INSERT INTO kept VALUES (CAST(? AS INTEGER), ?, ?)', '9007199254740993', 0.1, 'a\r\n🙋 é')).toBe(
      1,
    )
    const row = { id: '9007199254740993', number: 0.1, text: 'a\r\n🙋 é' }
    expect(store.get('SELECT CAST(id AS TEXT) AS id, number, text FROM kept')).toMatchObject(row)
    expect(store.get('SELECT * FROM kept WHERE id = ?', '1')).toBeUndefined()
    expect(store.count('FROM kept WHERE id = CAST(? AS INTEGER) LIMIT ?', '9007199254740993', 1)).toBe(1)
    store.close()
  })

  test('undoes a transaction that fails, and works on', async () => {
    const open = await drivers[name]()
    const store = new Store('kept', open(join(temporaryFolder(), 'kept.db')))
    store.script('CREATE TABLE kept (id INTEGER PRIMARY KEY)')
    const twice = () => store.write(() => [1, 1].map(id => store.run('INSERT INTO kept VALUES (?)', id)))
    expect(twice).toThrow(/UNIQUE constraint failed/)
    expect(store.count('FROM kept')).toBe(0)
    expect(store.write(() => store.run('INSERT INTO kept VALUES (?)', 1))).toBe(1)
    store.close()
  })

  test("tells a damaged file, and one that another process holds, by SQLite's codes", async () => {
    const open = await drivers[name]()
    const file = join(temporaryFolder(), 'held.db')
    const [one, other] = [open(file), open(file)]
    one.exec('BEGIN EXCLUSIVE')
    expect(failureOf(() => other.exec('CREATE TABLE t (x)'))).toMatchObject({
      exit: 7,
      message: expect.stringMatching(/cannot be used just now: database is locked$/),
    })
    one.close()
    other.close()
    writeFileSync(file, 'not a database at all '.repeat(500))
    const damaged = open(file)
    expect(failureOf(() => damaged.exec('PRAGMA schema_version'))).toMatchObject({
      exit: 2,
      message: expect.stringMatching(/is damaged$/),
    })
    damaged.close()
  })
})

function failureOf(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return databaseFailure(error, 'the file')
  }
}

test.runIf(hasOwn)('a sandbox that one driver made is read by the other', async () => {
  const [node, libsql] = [await drivers.node(), await drivers.libsql()]
  for (const [first, second] of [
    [node, libsql],
    [libsql, node],
  ] as const) {
    const file = join(temporaryFolder(), 'made.db')
    const made = new Store(file, first(file))
    made.get('PRAGMA journal_mode = WAL')
    createTables(made)
    const read = new Store(file, second(file))
    const persons = (store: Store) => JSON.stringify(store.all('SELECT * FROM persons'))
    expect(persons(read)).toBe(persons(made))
    expect(read.count('FROM persons')).toBe(60)
    read.close()
    made.close()
  }
})

test.each([
  ['MODULE_NOT_FOUND', 'needs the package libsql, which is not installed', 'without --omit=optional'],
  ['ERR_DLOPEN_FAILED', 'libsql cannot be loaded (ERR_DLOPEN_FAILED)', 'Node 22.13 or later'],
])('a machine without a database is told what is missing, and how to get it (%s)', async (code, message, hint) => {
  const missing = async () => {
    throw Object.assign(new Error('not here'), { code })
  }
  await expect(loadDriver([missing, missing])).rejects.toMatchObject({
    exit: 2,
    message: expect.stringContaining(message),
    facts: { hint: expect.stringContaining(hint) },
  })
})
