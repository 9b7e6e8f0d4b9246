/** The drivers end a text at NUL, and round or refuse large numbers, so texts are stored as JSON, and person ids as texts. */
import { databaseFailure } from './database-errors.ts'
import type { Database, SqlValue, Statement } from './driver.ts'

/** Each search text adds a cached count. */
const mostRemembered = 1000

export class Store {
  readonly path: string
  readonly #database: Database
  #isOpen = true
  readonly #statements = new Map<string, Statement>()
  /** Results for the database version in `#version`. */
  readonly #memory = new Map<string, unknown>()
  #version = ''
  #writes = 0
  #transaction: 'none' | 'read' | 'write' = 'none'
  /** `#version` was read in this transaction. */
  #isChecked = false

  constructor(path: string, database: Database) {
    this.path = path
    this.#database = database
  }

  /** Caches the result until any process changes the database; inside `write` it always reads. */
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

  /** `from`: the part of a SELECT that begins with FROM. */
  count(from: string, ...cells: SqlValue[]): number {
    return this.get<{ n: number }>(`SELECT count(*) AS n ${from}`, ...cells)?.n ?? 0
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
    // A transaction that starts as a reader could not wait for its turn to write.
    this.#writes++
    return this.#within('write', 'BEGIN IMMEDIATE', work)
  }

  close(): void {
    if (this.#isOpen) this.#database.close()
    this.#isOpen = false
  }

  #statement(sql: string): Statement {
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
      this.#rollBack()
      throw error
    } finally {
      this.#transaction = 'none'
      this.#isChecked = false
    }
  }

  #rollBack(): void {
    try {
      this.#database.exec('ROLLBACK')
    } catch {
      // SQLite ended the transaction itself, as it does when the disk is full.
    }
  }

  #guarded<Result>(work: () => Result): Result {
    try {
      return work()
    } catch (error) {
      throw databaseFailure(error, this.path)
    }
  }
}

type Fact = 'key' | 'clock'

export function readFact(store: Store, name: Fact): string | undefined {
  return store.get<{ value: string }>('SELECT value FROM facts WHERE name = ?', name)?.value
}

export function keepFact(store: Store, name: Fact, value: string): void {
  store.run('INSERT INTO facts VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value', name, value)
}
