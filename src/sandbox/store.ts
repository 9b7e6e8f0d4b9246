/** The library ends a text at NUL and rounds large numbers, so texts are stored as JSON and person ids as texts. */
import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type Database from 'libsql'
import { UnavailableError, UsageError } from '../errors.ts'
import { failureOf, reason, UnfitError } from './database-errors.ts'

export type SqlValue = string | number | null

export interface DatabaseLayout {
  /** Stored in `user_version`. */
  readonly version: number
  create(store: Store): void
}

/** Milliseconds. */
const busyTimeout = 10_000

/** Searches have many texts, each with a count of its own. */
const mostRemembered = 1000

export class Store {
  readonly path: string
  readonly #database: Database.Database
  readonly #statements = new Map<string, Database.Statement>()
  /** What was read from the version that `#version` names. */
  readonly #memory = new Map<string, unknown>()
  #version = ''
  #writes = 0
  #transaction: 'none' | 'read' | 'write' = 'none'
  /** Whether `#version` is that of the transaction. */
  #isChecked = false

  constructor(path: string, database: Database.Database) {
    this.path = path
    this.#database = database
  }

  /** Remembers what `work` read until any process changes the database; inside `write` it always reads. */
  remembered<Result>(name: string, work: () => Result): Result {
    if (this.#transaction === 'write') return work()
    if (!this.#isChecked) this.#check()
    if (this.#memory.has(name)) return this.#memory.get(name) as Result
    const result = work()
    if (this.#memory.size < mostRemembered) this.#memory.set(name, result)
    return result
  }

  #check(): void {
    const version = `${this.get<{ data_version: number }>('PRAGMA data_version')?.data_version} ${this.#writes}`
    if (version !== this.#version) this.#memory.clear()
    this.#version = version
    this.#isChecked = this.#transaction === 'read'
  }

  all<Row>(sql: string, ...cells: SqlValue[]): Row[] {
    return this.#guarded(() => this.#statement(sql).all(...cells) as Row[])
  }

  get<Row>(sql: string, ...cells: SqlValue[]): Row | undefined {
    return this.#guarded(() => this.#statement(sql).get(...cells) as Row | undefined)
  }

  run(sql: string, ...cells: SqlValue[]): number {
    return this.#guarded(() => this.#statement(sql).run(...cells).changes)
  }

  script(sql: string): void {
    this.#guarded(() => this.#database.exec(sql))
  }

  read<Result>(work: () => Result): Result {
    return this.#within('read', 'BEGIN', work)
  }

  write<Result>(work: () => Result): Result {
    // A reader that becomes a writer later could not wait for its turn.
    this.#writes++
    return this.#within('write', 'BEGIN IMMEDIATE', work)
  }

  close(): void {
    this.#database.close()
  }

  #statement(sql: string): Database.Statement {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  #within<Result>(kind: 'read' | 'write', begin: string, work: () => Result): Result {
    this.script(begin)
    this.#transaction = kind
    try {
      const result = work()
      this.script('COMMIT')
      return result
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK')
      throw error
    } finally {
      this.#transaction = 'none'
      this.#isChecked = false
    }
  }

  #guarded<Result>(work: () => Result): Result {
    try {
      return work()
    } catch (error) {
      throw failureOf(error, this.path)
    }
  }
}

export function databasePath(stateDir: string): string {
  return join(stateDir, 'sandbox.db')
}

/** Throws `UnfitError` for a damaged file or another version, `UsageError` for a file that cannot be opened. */
export async function openStore(stateDir: string, layout: DatabaseLayout): Promise<Store> {
  const path = databasePath(stateDir)
  const Driver = await driver()
  let store: Store
  try {
    mkdirSync(stateDir, { recursive: true, mode: 0o700 })
    // SQLite gives its other files the mode of this one.
    closeSync(openSync(path, 'a', 0o600))
    store = new Store(path, new Driver(path, { timeout: busyTimeout }))
  } catch (error) {
    throw new UsageError(`The sandbox's database ${path} cannot be opened: ${reason(error)}`, {
      hint: 'Check the folder, or name another one in ANALYTICS_STATE_DIR',
      cause: error,
    })
  }
  try {
    await prepare(store, layout)
    return store
  } catch (error) {
    store.close()
    throw error
  }
}

export function removeStore(stateDir: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(databasePath(stateDir) + end, { force: true })
}

async function prepare(store: Store, layout: DatabaseLayout): Promise<void> {
  if (versionOf(store) !== layout.version) {
    await logAhead(store)
    store.write(() => {
      // Another process may have created it meanwhile.
      const version = versionOf(store)
      if (version === layout.version) return
      if (version !== 0 || store.get('SELECT 1 FROM sqlite_schema')) {
        throw new UnfitError(`The sandbox's database ${store.path} was made by another version of analytics`, {
          hint: 'analytics sandbox reset makes a new one; what was loaded into this one is lost then',
        })
      }
      layout.create(store)
      store.script(`PRAGMA user_version = ${layout.version}`)
    })
  }
  // A crash of the machine may lose the last changes, a crash of the program none.
  store.script('PRAGMA synchronous = NORMAL')
}

function versionOf(store: Store): number {
  return store.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0
}

/** The write-ahead log lets others read during a write; the setting stays with the file. */
async function logAhead(store: Store): Promise<void> {
  for (let waited = 0; ; waited += 20) {
    try {
      store.get('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      // SQLite does not wait for the lock by itself here.
      if (!(error instanceof UnavailableError) || waited >= busyTimeout) throw error
      await setTimeout(20)
    }
  }
}

async function driver() {
  try {
    return (await import('libsql')).default
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'MODULE_NOT_FOUND') {
      throw new UsageError(`The database of the sandbox cannot be loaded (${code})`, {
        hint: 'The executable loads it from the folder TMPDIR, which must be writable and allow programs',
        cause: error,
      })
    }
    throw new UsageError('The sandbox needs the package libsql, which is not installed for this machine', {
      hint: 'Install analytics again without leaving out optional packages',
      cause: error,
    })
  }
}
