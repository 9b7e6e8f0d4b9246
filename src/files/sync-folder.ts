import { closeSync, fsyncSync, openSync } from 'node:fs'
import { platform } from 'node:os'

/** Makes new and renamed files survive a power loss; Windows does not need it and cannot do it. */
export function syncFolder(path: string): void {
  if (platform() === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
