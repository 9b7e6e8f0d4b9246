import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The paths of all files below a folder. */
export function filesIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  return entries.map(({ parentPath, name }) => join(parentPath, name))
}
