/** A SQLite file, opened by Node's own module or the optional package libsql. */
import type { DatabaseSync } from 'node:sqlite'
import { UnavailableError, UsageError } from '../errors.ts'
import { codeOf } from '../files/system-error.ts'
import { isObject } from '../json/exact.ts'

type SqlValue = string | number

type Statement = ReturnType<DatabaseSync['prepare']>

async function openDriver(path: string): Promise<DatabaseSync> {
  const sqlite = await import('node:sqlite').catch(() => undefined)
  if (sqlite) return new sqlite.DatabaseSync(path)
  const { default: Libsql } = await import('libsql').catch((cause: unknown) => {
    const hint = 'Use Node 22.13 or later, or install analytics again without --omit=optional'
    throw new UsageError(`The sandbox needs the package libsql, which cannot be loaded (${codeOf(cause)})`, {
      hint,
      cause,
    })
  })
  return new Libsql(path)
}

export class Database {
  readonly path: string
  readonly #driver: DatabaseSync
  readonly #statements = new Map<string, Statement>()

  private constructor(path: string, driver: DatabaseSync) {
    this.path = path
    this.#driver = driver
  }

  static async open(path: string): Promise<Database> {
    return new Database(path, await openDriver(path))
  }

  rows<Row>(sql: string, ...cells: SqlValue[]): Row[] {
    return this.#statement(sql).all(...cells) as Row[]
  }

  each<Row>(sql: string, ...cells: SqlValue[]): Iterable<Row> {
    return this.#statement(sql).iterate(...cells) as Iterable<Row>
  }

  run(sql: string, ...cells: SqlValue[]): void {
    this.#statement(sql).run(...cells)
  }

  script(sql: string): void {
    this.#driver.exec(sql)
  }

  read<Result>(work: () => Result): Result {
    return this.#within('BEGIN DEFERRED', work)
  }

  /** Begins as a writer: a transaction that begins as a reader cannot wait for the lock. */
  write<Result>(work: () => Result): Result {
    return this.#within('BEGIN IMMEDIATE', work)
  }

  /** Writes all or nothing. Waits up to a minute for other writers. */
  async writeAll(work: () => Promise<void>): Promise<void> {
    try {
      this.script('PRAGMA busy_timeout = 60000; BEGIN IMMEDIATE')
      await work()
      this.script('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)')
    } catch (error) {
      throw this.#rolledBack(error)
    }
  }

  close(): void {
    this.#driver.close()
  }

  #within<Result>(begin: string, work: () => Result): Result {
    try {
      this.script(begin)
      const result = work()
      this.script('COMMIT')
      return result
    } catch (error) {
      throw this.#rolledBack(error)
    }
  }

  #rolledBack(error: unknown): unknown {
    try {
      this.script('ROLLBACK')
    } catch {
      // SQLite ended the transaction itself, as it does when the disk is full, or it did not begin.
    }
    return this.failureOf(error)
  }

  #statement(sql: string): Statement {
    const statement = this.#statements.get(sql) ?? this.#driver.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  failureOf(error: unknown): unknown {
    const code = sqliteCode(error)
    if (code === undefined || !(error instanceof Error)) return error
    const file = `The sandbox's database ${this.path}`
    if (damaged.includes(code)) {
      return new DamagedError(`${file} is damaged`, {
        hint: 'To make a new one: analytics sandbox reset',
        cause: error,
      })
    }
    if (busy.includes(code)) {
      const hint = 'Try again; another process may be holding it, or the disk may be full'
      return new UnavailableError(`${file} cannot be used just now: ${error.message}`, { hint, cause: error })
    }
    const hint = 'Check who owns it, or name another folder in ANALYTICS_STATE_DIR'
    return new UsageError(`${file} cannot be used: ${error.message}`, { hint, cause: error })
  }
}

export class DamagedError extends UsageError {}

const codes = { SQLITE_BUSY: 5, SQLITE_IOERR: 10, SQLITE_CORRUPT: 11, SQLITE_FULL: 13, SQLITE_NOTADB: 26 } as const
const damaged: readonly number[] = [codes.SQLITE_CORRUPT, codes.SQLITE_NOTADB]
const busy: readonly number[] = [codes.SQLITE_BUSY, codes.SQLITE_IOERR, codes.SQLITE_FULL]

/** Node and libsql name it differently. Its upper bits are details. */
function sqliteCode(error: unknown): number | undefined {
  const { errcode, rawCode = errcode } = isObject(error) ? error : {}
  return typeof rawCode === 'number' ? rawCode & 0xff : undefined
}
