import { UnavailableError, UsageError } from '../../errors.ts'
import { codeOf, reasonOf } from '../../files/system-error.ts'

export class UnfitError extends UsageError {}

/** Uses SQLite's codes; returns unknown errors unchanged. */
export function databaseFailure(error: unknown, path: string): unknown {
  const code = codeOf(error) ?? ''
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
  return codeOf(error)?.startsWith('SQLITE') ? `: ${error.message}` : reasonOf(error)
}
