/** Opens SQLite with whatever this Node has: its own module, or the optional package libsql. */
import { UsageError } from '../../errors.ts'
import { codeOf } from '../../files/system-error.ts'

export type SqlValue = string | number | null

export interface Statement {
  all(...cells: SqlValue[]): unknown[]
  get(...cells: SqlValue[]): unknown
  run(...cells: SqlValue[]): { readonly changes: number }
}

export interface Database {
  prepare(sql: string): Statement
  exec(sql: string): unknown
  close(): unknown
}

type OpenDatabase = (path: string) => Database

/** In order of preference. Each throws an error with a code if this Node or this machine does not have it. */
export const drivers = {
  async node(): Promise<OpenDatabase> {
    const { DatabaseSync } = await import('node:sqlite')
    return path => new DatabaseSync(path)
  },
  async libsql(): Promise<OpenDatabase> {
    const { default: Libsql } = await import('libsql')
    return path => new Libsql(path)
  },
}

export async function loadDriver(candidates = Object.values(drivers)): Promise<OpenDatabase> {
  const failures: unknown[] = []
  for (const load of candidates) {
    try {
      return await load()
    } catch (error) {
      failures.push(error)
    }
  }
  throw unavailable(failures.at(-1))
}

function unavailable(cause: unknown): UsageError {
  const code = codeOf(cause) ?? ''
  const instead = 'Use Node 22.13 or later, which has a database of its own'
  if (/^(ERR_)?MODULE_NOT_FOUND$/.test(code)) {
    const hint = `${instead}, or install analytics again without --omit=optional`
    return new UsageError('The sandbox needs the package libsql, which is not installed', { hint, cause })
  }
  return new UsageError(`The sandbox's package libsql cannot be loaded (${code})`, { hint: instead, cause })
}
