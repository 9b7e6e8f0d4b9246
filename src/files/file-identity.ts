import { fstatSync, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** All names of a file get the same text. Existing files are known by disk and inode, new ones by folder and name. */
export function fileIdentity(path: string): string {
  const folder = dirname(path)
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false })
    const isNumbered = found && (found.isFile() || found.isDirectory()) && found.ino > 0n
    if (isNumbered) return `${found.dev}:${found.ino}`
    if (found) return realpathSync(path)
    // Writing through a link to a missing file creates its target.
    if (lstatSync(path).isSymbolicLink()) return fileIdentity(resolve(realpathSync(folder), readlinkSync(path)))
  } catch {
    // The path is missing or not readable.
  }
  return folder === path ? path : join(fileIdentity(folder), basename(path))
}

/** The open file may have been moved or removed. */
export function isInPlace(path: string, file: number): boolean {
  const there = statSync(path, { throwIfNoEntry: false })
  const own = fstatSync(file)
  return there?.ino === own.ino && there.dev === own.dev
}
