/** Files of our own are regular files: a pipe or a device in the place of one may be endless, or stay silent. */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs'

/** Throws the system's error, or one with a code of the same form. */
export function openRegularFile(path: string, access: number = constants.O_RDONLY): number {
  // With the flag, a pipe that nobody writes to is opened too; Windows has neither.
  const file = openSync(path, access | (constants.O_NONBLOCK ?? 0), 0o600)
  try {
    checkRegular(fstatSync(file), access === constants.O_RDONLY ? undefined : path)
    return file
  } catch (error) {
    closeSync(file)
    throw error
  }
}

/** Closes the file whatever `use` does. */
export function withRegularFile<T>(path: string, use: (file: number) => T, access?: number): T {
  const file = openRegularFile(path, access)
  try {
    return use(file)
  } finally {
    closeSync(file)
  }
}

export function readRegularFile(path: string): Buffer {
  return withRegularFile(path, file => readFileSync(file))
}

/** `path` is given where the file is to be written: what a process has open must not be replaced. */
export function checkRegular(found: Stats | undefined, path = ''): void {
  if (found?.isFile() && !isDescriptorPath(path)) return
  throw Object.assign(new Error('Not a regular file'), { code: found?.isDirectory() ? 'EISDIR' : notRegular })
}

/** Whether the path stands for a file that a process has open, such as `/dev/stdout`. */
export function isDescriptorPath(path: string): boolean {
  return /^\/(dev\/(stdin|stdout|stderr|fd\/)|proc\/)/.test(path)
}

export const notRegular = 'NOTREGULAR'
