import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** A private folder with those above it; returns the first that was made. Node's `recursive` never ends within /proc. */
export function makePrivateFolder(folder: string): string | undefined {
  const missing = missingFolders(folder)
  // Throws where a file has that name.
  if (missing.length === 0) mkdirSync(folder, { recursive: true })
  return missing.filter(makeOne)[0]
}

/** The folders that `makePrivateFolder` would make, from the outside in. */
export function missingFolders(folder: string): string[] {
  const missing: string[] = []
  for (let path = folder; !existsSync(path) && path !== dirname(path); path = dirname(path)) missing.unshift(path)
  return missing
}

/** False where another process made it meanwhile. */
function makeOne(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 })
    return true
  } catch (error) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return false
    throw error
  }
}
