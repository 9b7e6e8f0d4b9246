import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** A private folder with those above it; returns the first that was made. Node's `recursive` never ends within /proc. */
export function makePrivateFolder(folder: string): string | undefined {
  const missing: string[] = []
  for (let path = folder; !existsSync(path) && path !== dirname(path); path = dirname(path)) missing.unshift(path)
  // Throws where a file has that name.
  if (missing.length === 0) mkdirSync(folder, { recursive: true })
  return missing.filter(makeOne)[0]
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
