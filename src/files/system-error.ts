import { Failure, UnavailableError, UsageError } from '../errors.ts'

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

export function raiseFileLimit(error: unknown): string | undefined {
  const code = codeOf(error)
  return code === 'EMFILE' || code === 'ENFILE' ? 'Raise the limit of open files (ulimit -n)' : undefined
}

/** Completes "cannot be read" in a message; '' for other errors. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error)
  return code === undefined ? '' : `: ${reasons[code] ?? code}`
}

export function writing<T>(what: string, hint: string, act: () => T): T {
  try {
    return act()
  } catch (cause) {
    throw cause instanceof Failure ? cause : cannotWrite(what, cause, hint)
  }
}

export function cannotRead(what: string, cause: unknown, hint: string): UsageError {
  return new UsageError(`${what} cannot be read${reasonOf(cause)}`, { hint, cause })
}

export function isFull(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'ENOSPC' || code === 'EDQUOT'
}

export const diskFull = 'disk-full'

/** Returns `UnavailableError` if the disk is full, since room can be made; otherwise `UsageError`. */
export function cannotWrite(what: string, cause: unknown, hint: string): Failure {
  const message = `${what}${reasonOf(cause)}`
  if (!isFull(cause)) return new UsageError(message, { hint, cause })
  return new UnavailableError(message, { code: diskFull, hint: 'Make room on the disk', cause })
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'not allowed',
  EPERM: 'not allowed',
  EROFS: 'the disk is read-only',
  ENOENT: 'no such file or folder',
  ENOTDIR: 'a part of the path is a file',
  EISDIR: 'it is a folder',
  EEXIST: 'the name is taken',
  EBUSY: 'another program uses it',
  NOTREGULAR: 'it is not a regular file',
  ENAMETOOLONG: 'the name is too long',
  ERR_INVALID_ARG_VALUE: 'the name is not valid',
  ELOOP: 'its symbolic links form a loop',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ENXIO: 'no process reads it, or the device does not exist',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
}
