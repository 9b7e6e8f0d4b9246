import { closeSync, fsyncSync, openSync } from 'node:fs'
import { isWindows } from './windows-files.ts'

/** Makes new and renamed files survive a power loss; Windows does not need it and cannot do it. */
export function syncFolder(path: string): void {
  if (isWindows) return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
