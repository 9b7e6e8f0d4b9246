import { existsSync, mkdirSync, mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Failure } from '../errors.ts'
import { cannotWrite } from './system-error.ts'

/** Makes missing parents too, and returns the first new folder. Node's `recursive` hangs within /proc. */
export function makePrivateFolder(folder: string): string | undefined {
  const missing = missingFolders(folder)
  // Throws if it is a file.
  if (missing.length === 0) mkdirSync(folder, { recursive: true })
  return missing.filter(makeOne)[0]
}

export function missingFolders(folder: string): string[] {
  const missing: string[] = []
  for (let path = folder; !existsSync(path) && path !== dirname(path); path = dirname(path)) missing.unshift(path)
  return missing
}

/** False if another process has made it meanwhile. */
function makeOne(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 })
    return true
  } catch (error) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return false
    throw error
  }
}

/** `what`: the data, such as `The rows`. Throws the errors of `cannotWrite`. */
export function makeTemporaryFolder(what: string): string {
  try {
    return mkdtempSync(join(tmpdir(), 'analytics-'))
  } catch (cause) {
    throw cannotKeep(what, cause)
  }
}

export function cannotKeep(what: string, cause: unknown): Failure {
  return cannotWrite(`${what} cannot be kept in ${tmpdir()}`, cause, `Name another folder in TMPDIR`)
}
