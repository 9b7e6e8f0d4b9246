/** Our own files must be regular files: a pipe or a device may be endless or silent. */
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, type Stats } from 'node:fs'

/** Throws the system's error, or one with a similar code. */
export function openRegularFile(path: string, access: number = constants.O_RDONLY): number {
  // The flag prevents waiting for the writer of a pipe.
  const file = openSync(path, access | constants.O_NONBLOCK, 0o600)
  try {
    checkRegular(fstatSync(file), access === constants.O_RDONLY ? undefined : path)
    return file
  } catch (error) {
    closeSync(file)
    throw error
  }
}

function withRegularFile<T>(path: string, use: (file: number) => T, access?: number): T {
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

const partSize = 32 * 1024

/** The first `most` bytes in parts; each one is overwritten by the next. */
export function* readParts(path: string, most = Number.POSITIVE_INFINITY): Generator<Buffer> {
  const file = openRegularFile(path)
  const part = Buffer.allocUnsafe(partSize)
  try {
    for (let at = 0, size = 0; ; at += size) {
      size = readSync(file, part, 0, Math.min(partSize, most - at), at)
      if (size === 0) return
      yield part.subarray(0, size)
    }
  } finally {
    closeSync(file)
  }
}

/** `path`: of a file to be written, since an open file of a process must not be replaced. */
export function checkRegular(found: Stats | undefined, path = ''): void {
  if (found?.isFile() && !isDescriptorPath(path)) return
  throw Object.assign(new Error('Not a regular file'), { code: found?.isDirectory() ? 'EISDIR' : notRegular })
}

/** True for names of a process's open files, such as `/dev/stdout`. */
export function isDescriptorPath(path: string): boolean {
  return /^\/(dev\/(stdin|stdout|stderr|fd\/)|proc\/)/.test(path)
}

const notRegular = 'NOTREGULAR'
