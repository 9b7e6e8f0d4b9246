import { closeSync, fsyncSync, openSync } from 'node:fs'
import { platform } from 'node:os'

/** Makes new and renamed files of a folder survive a power loss. Windows cannot sync folders and does not need to. */
export function syncFolder(path: string): void {
  if (platform() === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
