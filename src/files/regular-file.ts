/** Files of our own are regular files: a pipe or a device in the place of one may be endless, or stay silent. */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs'

/** Throws the system's error, or one with a code of the same form. */
export function openRegularFile(path: string, access: number = constants.O_RDONLY): number {
  // With the flag, a pipe that nobody writes to is opened too; Windows has neither.
  const file = openSync(path, access | (constants.O_NONBLOCK ?? 0), 0o600)
  try {
    checkRegular(fstatSync(file))
    return file
  } catch (error) {
    closeSync(file)
    throw error
  }
}

export function readRegularFile(path: string): Buffer {
  const file = openRegularFile(path)
  try {
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

export function checkRegular(found: Stats): void {
  if (found.isFile()) return
  throw Object.assign(new Error('Not a regular file'), { code: found.isDirectory() ? 'EISDIR' : notRegular })
}

export const notRegular = 'NOTREGULAR'
