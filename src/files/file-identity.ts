import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/**
 * The same for all names of a file: links of both kinds, and a folder that is mounted twice. A file or folder that is
 * there is known by its disk and its number on it, a new one by its folder and its name.
 */
export function fileIdentity(path: string): string {
  const folder = dirname(path)
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false })
    // Some disks of Windows number nothing.
    const isNumbered = found && (found.isFile() || found.isDirectory()) && found.ino > 0n
    if (isNumbered) return `${found.dev}:${found.ino}`
    if (found) return realpathSync(path)
    // What is written through a link to a file that is not there yet becomes that file.
    if (lstatSync(path).isSymbolicLink()) return fileIdentity(resolve(realpathSync(folder), readlinkSync(path)))
  } catch {
    // Nothing is there, or nothing that may be looked at.
  }
  return folder === path ? path : join(fileIdentity(folder), basename(path))
}
