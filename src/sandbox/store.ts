/**
 * The sandbox's database: one SQLite file that survives between commands and takes several processes at once. The only
 * file that knows libsql.
 *
 * Text goes in as JSON wherever it may hold anything at all: the library ends a text at its first NUL character, and
 * JSON writes that as an escape. Ids of persons go in and come out as text: as numbers, large ones would be rounded.
 */
import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type Database from 'libsql'
import { UnavailableError, UsageError } from '../errors.ts'
import { failureOf, reason, UnfitError } from './database-errors.ts'

export type Cell = string | number | null

export interface Layout {
  /** Kept in the file's `user_version`, so that a file of another layout is told. */
  readonly version: number
  /** Fills an empty database; runs within one transaction. */
  create(store: Store): void
}

/** How long a process waits for the others, in ms, before it gives up. */
const patience = 10_000

export class Store {
  readonly path: string
  readonly #database: Database.Database
  /** By their text; there are only so many texts, for values are cells. */
  readonly #statements = new Map<string, Database.Statement>()

  constructor(path: string, database: Database.Database) {
    this.path = path
    this.#database = database
  }

  all<Row>(sql: string, ...cells: Cell[]): Row[] {
    return this.#guarded(() => this.#statement(sql).all(...cells) as Row[])
  }

  get<Row>(sql: string, ...cells: Cell[]): Row | undefined {
    return this.#guarded(() => this.#statement(sql).get(...cells) as Row | undefined)
  }

  /** Returns how many rows were changed. */
  run(sql: string, ...cells: Cell[]): number {
    return this.#guarded(() => this.#statement(sql).run(...cells).changes)
  }

  /** Several statements, without cells. */
  script(sql: string): void {
    this.#guarded(() => this.#database.exec(sql))
  }

  /** Everything that `work` reads is of one moment. */
  read<Result>(work: () => Result): Result {
    return this.#transaction('BEGIN', work)
  }

  /** Either all that `work` writes stays, or nothing of it; others wait meanwhile. What it throws is thrown on. */
  write<Result>(work: () => Result): Result {
    // Immediate: a reader that only later turns out to be a writer could not wait for its turn any more.
    return this.#transaction('BEGIN IMMEDIATE', work)
  }

  close(): void {
    this.#database.close()
  }

  #statement(sql: string): Database.Statement {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  #transaction<Result>(begin: string, work: () => Result): Result {
    this.script(begin)
    try {
      const result = work()
      this.script('COMMIT')
      return result
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK')
      throw error
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

/** The file of the sandbox in a state folder. */
export function databasePath(stateDir: string): string {
  return join(stateDir, 'sandbox.db')
}

/**
 * Opens the database in a state folder, making and filling it on the first start. Throws `UnfitError` for a file that
 * is damaged or of another layout, `UsageError` for one that may not be used; either is left as it is.
 */
export async function openStore(stateDir: string, layout: Layout): Promise<Store> {
  const path = databasePath(stateDir)
  const Driver = await driver()
  let store: Store
  try {
    mkdirSync(stateDir, { recursive: true, mode: 0o700 })
    // SQLite gives the files beside it the mode of this one.
    closeSync(openSync(path, 'a', 0o600))
    store = new Store(path, new Driver(path, { timeout: patience }))
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

/** Removes the database with the files that belong to it. Processes that hold it go on with what is no more there. */
export function removeStore(stateDir: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(databasePath(stateDir) + end, { force: true })
}

async function prepare(store: Store, layout: Layout): Promise<void> {
  if (versionOf(store) !== layout.version) {
    await logAhead(store)
    store.write(() => {
      // Another process may have come first.
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
  // A crash of the program loses nothing this way, a crash of the machine at most the last changes.
  store.script('PRAGMA synchronous = NORMAL')
}

function versionOf(store: Store): number {
  return store.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0
}

/** Readers and a writer at the same time need the write-ahead log. Its setting stays with the file. */
async function logAhead(store: Store): Promise<void> {
  for (let waited = 0; ; waited += 20) {
    try {
      store.get('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      // The one statement for which SQLite does not wait by itself.
      if (!(error instanceof UnavailableError) || waited >= patience) throw error
      await setTimeout(20)
    }
  }
}

async function driver() {
  try {
    return (await import('libsql')).default
  } catch (error) {
    throw new UsageError('The sandbox needs the package libsql, which is not installed for this machine', {
      hint: 'Install analytics again without leaving out optional packages',
      cause: error,
    })
  }
}
