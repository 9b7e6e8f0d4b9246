import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Failure } from '../errors.ts'
import { cannotWrite } from './system-error.ts'
import { isWindows } from './windows-files.ts'

/** `what`: the data, such as `The rows`. Throws the errors of `cannotWrite`. */
export function makeTemporaryFolder(what: string): string {
  try {
    return mkdtempSync(join(tmpdir(), 'analytics-'))
  } catch (cause) {
    throw cannotKeep(what, cause)
  }
}

export function cannotKeep(what: string, cause: unknown): Failure {
  const variable = isWindows ? 'TEMP' : 'TMPDIR'
  return cannotWrite(`${what} cannot be kept in ${tmpdir()}`, cause, `Name another folder in ${variable}`)
}
