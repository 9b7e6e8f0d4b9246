import { closeSync, fsyncSync, openSync } from 'node:fs'
import { platform } from 'node:os'

/** Has the disk keep the names in a folder. Windows cannot sync a folder, and needs not: its names are in a log. */
export function syncFolder(path: string): void {
  if (platform() === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
