/** What differs on Windows: folders, renames, and whether owners and modes protect files. */
import { closeSync, fsyncSync, lstatSync, openSync, renameSync, rmSync, type Stats, statSync } from 'node:fs'
import { devNull, platform } from 'node:os'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { UsageError } from '../errors.ts'
import { absolutePath, type Host } from '../host.ts'
import { codeOf } from './system-error.ts'

interface Platform {
  /** Whether owners and modes protect files; elsewhere the user's folders do. */
  readonly protects: boolean
  /** A folder named by one of these variables, else the usual one in the home folder. */
  readonly folders: Readonly<Record<'config' | 'state', readonly [variables: readonly string[], usual: string]>>
  path(path: string): string
  /** Makes new and renamed files in the folder survive a power loss. */
  sync(folder: string): void
  /** `to` may exist, and other processes may have both open. */
  replace(from: string, to: string): void
  /** Removes it at once for other processes. `release` closes the files in it that this process has open. */
  remove(folder: string, release: () => void): void
}

const posix: Platform = {
  protects: true,
  folders: { config: [['XDG_CONFIG_HOME'], '.config'], state: [['XDG_STATE_HOME'], '.local/state'] },
  path: path => path,
  sync(folder) {
    const file = openSync(folder, 'r')
    try {
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  },
  replace: renameSync,
  remove(folder, release) {
    try {
      removeRenamed(folder, renameSync)
    } finally {
      release()
    }
  },
}

const windows: Platform = {
  protects: false,
  folders: {
    config: [['XDG_CONFIG_HOME', 'APPDATA'], 'AppData/Roaming'],
    state: [['XDG_STATE_HOME', 'LOCALAPPDATA'], 'AppData/Local'],
  },
  // This name is a device in every folder, but Node would create a file.
  path: path => (/^nul:?$/i.test(basename(path)) ? devNull : path),
  // The system has no call for it: NTFS keeps its own journal of names.
  sync: () => undefined,
  replace: renameWhenClosed,
  remove(folder, release) {
    // A folder cannot be renamed while a file in it is open, so a process that takes the lock now keeps the folder.
    release()
    removeRenamed(folder, renameWhenClosed)
  },
}

export const files = platform() === 'win32' ? windows : posix

type FolderHost = Pick<Host, 'env' | 'home' | 'cwd'>

export function stateFolder(host: FolderHost): string {
  return folderOf(host, 'ANALYTICS_STATE_DIR', files.folders.state)
}

export function configFolder(host: FolderHost): string {
  return folderOf(host, 'ANALYTICS_CONFIG_DIR', files.folders.config)
}

function folderOf(
  { env, home, cwd }: FolderHost,
  variable: string,
  [parents, fallback]: typeof files.folders.state,
): string {
  const folder = env[variable]
  if (folder) return absolutePath({ cwd }, folder)
  // The XDG specification ignores relative paths.
  const parent = parents.map(name => env[name]).find(path => path && isAbsolute(path))
  if (parent) return join(parent, 'analytics')
  if (!home) throw new UsageError('No home folder was found', { hint: `Set HOME, or ${variable}` })
  return join(home, fallback, 'analytics')
}

function removeRenamed(folder: string, rename: Platform['replace']): void {
  const removed = join(dirname(folder), `.${basename(folder)}`)
  rename(folder, removed)
  rmSync(removed, { recursive: true, force: true, maxRetries: 5 })
}

const longestWaitMs = 5000

/** Programs such as virus scanners open a file for some milliseconds, and Windows refuses to rename it meanwhile. */
function renameWhenClosed(from: string, to: string): void {
  for (let pause = 1, waited = 0; ; pause *= 2) {
    try {
      renameSync(from, to)
      return
    } catch (error) {
      if (!['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(error) ?? '') || waited > longestWaitMs) throw error
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause)
    waited += pause
  }
}

/** Returns the file or folder that others can write to. */
export function writableByOthers(file: string): string | undefined {
  const folder = dirname(file)
  const [ofFile, ofFolder] = [file, folder].map(statsOf)
  if (ofFile?.isFile() && isWritable(ofFile)) return file
  if (!ofFolder || !isWritable(ofFolder)) return undefined
  // In a sticky folder such as /tmp, others can add files but not replace ours.
  const isSticky = (ofFolder.mode & 0o1000) !== 0
  return isSticky && (!ofFile || ofFile.uid === ownUser) ? undefined : folder
}

export function isForeign(folder: string): boolean {
  const there = statsOf(folder)
  if (!there) return false
  const { uid } = lstatSync(folder, { throwIfNoEntry: false }) ?? there
  return isWritable(there) || there.uid !== ownUser || uid !== ownUser
}

/** Root is trusted: root could change any file. */
export function isOfAnotherUser(file: string): boolean {
  const owner = statsOf(file)?.uid
  return owner !== undefined && owner !== 0 && owner !== ownUser
}

/** Undefined on Windows, where owners and modes protect nothing. */
function statsOf(path: string): Stats | undefined {
  if (!files.protects) return undefined
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function isWritable({ mode }: Stats): boolean {
  return (mode & 0o022) !== 0
}

/** Not a named import, which would fail on Windows. */
const { geteuid } = process
const ownUser = geteuid?.()
