import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { devNull, platform } from 'node:os'
import { basename, dirname, join } from 'node:path'
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
