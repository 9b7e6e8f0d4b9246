import { UnavailableError, UsageError } from '../../errors.ts'
import { codeOf, reasonOf } from '../../files/system-error.ts'

export class UnfitError extends UsageError {}

/** Uses SQLite's codes; returns unknown errors unchanged. */
export function databaseFailure(error: unknown, path: string): unknown {
  const code = sqliteCode(error) ?? ''
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') {
    return new UnfitError(`The sandbox's database ${path} is damaged`, {
      hint: 'analytics sandbox reset makes a new one',
      cause: error,
    })
  }
  if (code.startsWith('SQLITE_BUSY') || code === 'SQLITE_FULL' || code.startsWith('SQLITE_IOERR')) {
    return new UnavailableError(`The sandbox's database ${path} cannot be used just now${reason(error)}`, {
      hint: 'Try again; another process may be holding it, or the disk may be full',
      cause: error,
    })
  }
  if (code.startsWith('SQLITE_READONLY') || code === 'SQLITE_CANTOPEN') {
    return new UsageError(`The sandbox's database ${path} cannot be written${reason(error)}`, {
      hint: 'Check who owns it, or name another folder in ANALYTICS_STATE_DIR',
      cause: error,
    })
  }
  return error
}

/** Continues "cannot be opened" in a message, with SQLite's reason. */
export function reason(error: unknown): string {
  if (!(error instanceof Error)) return `: ${error}`
  return sqliteCode(error) ? `: ${error.message}` : reasonOf(error)
}

/** libsql has it as a text; Node's database as a number, whose upper bits say more than is needed here. */
function sqliteCode(error: unknown): string | undefined {
  const code = codeOf(error)
  if (code !== 'ERR_SQLITE_ERROR') return code?.startsWith('SQLITE_') ? code : undefined
  const number = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
  return codes[number] ?? code
}

/** By the number that SQLite documents for each. */
const codes: Readonly<Record<number, string>> = {
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
}
