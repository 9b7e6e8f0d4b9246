/** Our own files must be regular files: a pipe or a device may be endless or silent. */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { codeOf } from './system-error.ts'

/** Throws the system's error, or one with a similar code. */
export function openRegularFile(path: string, access: number = constants.O_RDONLY): number {
  // The flag prevents waiting for the writer of a pipe; Windows has neither.
  const file = openSync(path, access | (constants.O_NONBLOCK ?? 0), 0o600)
  try {
    checkRegular(fstatSync(file), access === constants.O_RDONLY ? undefined : path)
    return file
  } catch (error) {
    closeSync(file)
    throw error
  }
}

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

/** `path`: of a file to be written, since an open file of a process must not be replaced. */
export function checkRegular(found: Stats | undefined, path = ''): void {
  if (found?.isFile() && !isDescriptorPath(path)) return
  throw Object.assign(new Error('Not a regular file'), { code: found?.isDirectory() ? 'EISDIR' : notRegular })
}

/** True for names of a process's open files, such as `/dev/stdout`. */
export function isDescriptorPath(path: string): boolean {
  return /^\/(dev\/(stdin|stdout|stderr|fd\/)|proc\/)/.test(path)
}

export const notRegular = 'NOTREGULAR'

/** The file that a link leads to, which may be missing. */
export function linkTarget(path: string, links = 0): string {
  try {
    return realpathSync(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || links > 40) throw error
  }
  const link = linkAt(path)
  return link === undefined ? path : linkTarget(resolve(realpathSync(dirname(path)), link), links + 1)
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
