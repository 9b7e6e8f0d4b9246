import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { ownUser } from './permissions.ts'
import { checkRegular, isDescriptorPath } from './regular-file.ts'
import { writing } from './system-error.ts'
import { randomSuffix, syncFolder, writeAll } from './write.ts'

interface FreshFile {
  write(content: string | Uint8Array): void
  commit(): void
  /** Keeps the old file; does nothing after `commit`. */
  discard(): void
}

/** A file beside the target of `path`, since a rename works only within one disk. Throws the system's error. */
function createBeside(path: string): FreshFile {
  const target = linkTarget(path)
  const fresh = join(dirname(target), `.${basename(target)}.${randomSuffix()}.tmp`)
  const file = openSync(fresh, 'wx', 0o600)
  let left: 'open' | 'closed' | 'nothing' = 'open'
  const close = () => {
    if (left === 'open') closeSync(file)
    left = 'closed'
  }
  return {
    write: content => writeAll(file, content),
    commit() {
      fsyncSync(file)
      close()
      putInPlace(fresh, target)
      left = 'nothing'
    },
    discard() {
      if (left === 'nothing') return
      close()
      rmSync(fresh, { force: true })
    },
  }
}

function putInPlace(fresh: string, path: string): void {
  renameSync(fresh, path)
  syncFolder(dirname(path))
}

export function writePrivateFile(path: string, option: string, text: string | Iterable<string>): void {
  withPrivateFile(path, option, file => {
    for (const part of typeof text === 'string' ? [text] : text) file.write(part)
    file.commit()
  })
}

/** Throws `UsageError` before the work is done, not after it. */
export function checkWritable(path: string, option: string): void {
  withPrivateFile(path, option, () => undefined)
}

function withPrivateFile(path: string, option: string, use: (file: FreshFile) => void): void {
  writing(`${option}: ${path} cannot be written`, 'Give another file', () => {
    const existing = statSync(path, { throwIfNoEntry: false })
    if (existing || isDescriptorPath(path)) checkRegular(existing, path)
    const file = createBeside(path)
    try {
      use(file)
    } finally {
      file.discard()
    }
  })
}

const mostLinks = 40

/**
 * The path without links, to which a file of ours is written. Throws the system's error, or one with a similar code where
 * others may have put a link or a file there.
 */
function linkTarget(path: string, links = 0): string {
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
