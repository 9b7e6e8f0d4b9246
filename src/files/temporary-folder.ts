import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../errors.ts'
import { reasonOf } from './system-error.ts'
import { isWindows } from './windows-files.ts'

/** `what`: the data, such as `The rows`. Throws `UsageError`. */
export function makeTemporaryFolder(what: string): string {
  try {
    return mkdtempSync(join(tmpdir(), 'analytics-'))
  } catch (cause) {
    throw cannotKeep(what, cause)
  }
}

export function cannotKeep(what: string, cause: unknown): UsageError {
  const variable = isWindows ? 'TEMP' : 'TMPDIR'
  return new UsageError(`${what} cannot be kept in ${tmpdir()}${reasonOf(cause)}`, {
    hint: `Make room there, or name another folder in ${variable}`,
    cause,
  })
}
