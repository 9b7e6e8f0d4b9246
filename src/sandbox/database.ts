/** A SQLite file: opened by Node's own module or the optional package libsql, with errors that say what to do. */
import type { DatabaseSync } from 'node:sqlite'
import { UnavailableError, UsageError } from '../errors.ts'
import { codeOf } from '../files/system-error.ts'
import { isObject } from '../json/exact.ts'

type SqlValue = string | number

type Statement = ReturnType<DatabaseSync['prepare']>

async function openDriver(path: string): Promise<DatabaseSync> {
  const own = await import('node:sqlite').catch(() => undefined)
  if (own) return new own.DatabaseSync(path)
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
    return this.#guarded(() => this.#statement(sql).all(...cells) as Row[])
  }

  /** Like `rows`, but keeps one row at a time in memory. */
  *each<Row>(sql: string, ...cells: SqlValue[]): Generator<Row> {
    const rows = this.#guarded(
      () =>
        this.#statement(sql)
          .iterate(...cells)
          [Symbol.iterator]() as Iterator<Row>,
    )
    for (;;) {
      const { done, value } = this.#guarded(() => rows.next())
      if (done) return
      yield value
    }
  }

  run(sql: string, ...cells: SqlValue[]): void {
    this.#guarded(() => this.#statement(sql).run(...cells))
  }

  script(sql: string): void {
    this.#guarded(() => this.#driver.exec(sql))
  }

  /** `IMMEDIATE` for writers: a transaction that begins as a reader cannot wait for the lock. */
  within<Result>(kind: 'DEFERRED' | 'IMMEDIATE', work: () => Result): Result {
    this.script(`BEGIN ${kind}`)
    try {
      const result = work()
      this.script('COMMIT')
      return result
    } catch (error) {
      this.rollBack()
      throw error
    }
  }

  rollBack(): void {
    try {
      this.#driver.exec('ROLLBACK')
    } catch {
      // SQLite ended the transaction itself, as it does when the disk is full.
    }
  }

  close(): void {
    this.#driver.close()
  }

  #guarded<Result>(work: () => Result): Result {
    try {
      return work()
    } catch (error) {
      throw this.#failure(error)
    }
  }

  #statement(sql: string): Statement {
    const statement = this.#statements.get(sql) ?? this.#driver.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  /** Maps the codes of SQLite; returns other errors as they are. */
  #failure(error: unknown): unknown {
    const code = sqliteCode(error)
    if (code === undefined || !(error instanceof Error)) return error
    const file = `The sandbox's database ${this.path}`
    if (damaged.includes(code)) {
      return new UnfitError(`${file} is damaged`, { hint: 'analytics sandbox reset makes a new one', cause: error })
    }
    if (busy.includes(code)) {
      const hint = 'Try again; another process may be holding it, or the disk may be full'
      return new UnavailableError(`${file} cannot be used just now: ${error.message}`, { hint, cause: error })
    }
    const hint = 'Check who owns it, or name another folder in ANALYTICS_STATE_DIR'
    return new UsageError(`${file} cannot be used: ${error.message}`, { hint, cause: error })
  }
}

/** The file is damaged; a reset replaces it. */
export class UnfitError extends UsageError {}

/** SQLITE_CORRUPT and SQLITE_NOTADB; SQLITE_BUSY, SQLITE_IOERR and SQLITE_FULL. */
const [damaged, busy] = [
  [11, 26],
  [5, 10, 13],
]

/** Node and libsql have it in different members. Its upper bits are details. */
function sqliteCode(error: unknown): number | undefined {
  const { errcode, rawCode = errcode } = isObject(error) ? error : {}
  return typeof rawCode === 'number' ? rawCode & 0xff : undefined
}
