import { closeSync, fsyncSync, openSync } from 'node:fs'
import { isWindows } from './windows-files.ts'

/** New and renamed files then survive a power loss; Windows does not need it. */
export function syncFolder(path: string): void {
  if (isWindows) return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
