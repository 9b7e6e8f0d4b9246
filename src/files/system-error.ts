/** What the operating system says of a call that failed. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** What to do where the process may open no more files; undefined for every other error. */
export function raiseFileLimit(error: unknown): string | undefined {
  const code = codeOf(error)
  return code === 'EMFILE' || code === 'ENFILE' ? 'Raise the limit of open files (ulimit -n)' : undefined
}

/** What follows "cannot be read" in a message; empty for an error that is not the system's. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error)
  return code === undefined ? '' : `: ${reasons[code] ?? code}`
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'not allowed',
  EBUSY: 'another program has it open',
  EPERM: 'not allowed, or another program has it open',
  EROFS: 'that disk can only be read',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'part of the path is a file',
  EISDIR: 'that is a folder',
  EEXIST: 'something else has that name',
  NOTREGULAR: 'that is no regular file',
  ELOOP: 'its symbolic links lead in a circle',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ENXIO: 'nobody reads it, or there is no such device',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
}
