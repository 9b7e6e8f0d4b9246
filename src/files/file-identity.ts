import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The path without links; of a file with several names (hard links), its number on its disk. */
export function fileIdentity(path: string): string {
  try {
    const real = realpathSync(path)
    const file = statSync(real, { bigint: true })
    return file.isFile() && file.nlink > 1n && file.ino > 0n ? `${file.dev}:${file.ino}` : real
  } catch {
    // A new file may be in a folder that is a link.
    return dirname(path) === path ? path : join(fileIdentity(dirname(path)), basename(path))
  }
}
