import { lstatSync, readlinkSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { ownUser } from './permissions.ts'
import { isDescriptorPath } from './regular-file.ts'

const mostLinks = 40

/**
 * The path without links, to which a file of ours is written. Throws the system's error, or one with a similar code where
 * others may have put a link or a file there.
 */
export function linkTarget(path: string, links = 0): string {
  const folder = dirname(path)
  if (folder === path || isDescriptorPath(path)) return path
  const realFolder = linkTarget(folder, links)
  const target = join(realFolder, basename(path))
  const found = lstatSync(target, { throwIfNoEntry: false })
  if (!found) return target
  refusePlanted(found, realFolder)
  if (!found.isSymbolicLink()) return target
  if (links === mostLinks) throw Object.assign(new Error('Too many links'), { code: 'ELOOP' })
  return linkTarget(resolve(realFolder, readlinkSync(target)), links + 1)
}

function refusePlanted(found: Stats, folder: string): void {
  if (found.isDirectory()) return
  const { mode, uid } = statSync(folder)
  const isForeign = found.uid !== uid && found.uid !== ownUser()
  if (found.isSymbolicLink() && ((mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && isForeign))) {
    throw Object.assign(new Error('A link in a shared folder'), { code: 'LINKINSHARED' })
  }
  if ((mode & 0o022) === 0 || !isForeign) return
  throw Object.assign(new Error('A file of another user in a shared folder'), { code: 'FOREIGNINSHARED' })
}
