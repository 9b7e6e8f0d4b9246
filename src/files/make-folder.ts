import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

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
