/** The program's own files must be regular files: a pipe or a device may be endless or silent. */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  type Stats,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { protect } from './permissions.ts'
import { files } from './platform.ts'

/** Throws the system's error, or one with a similar code. */
export function openRegularFile(path: string, access: number = constants.O_RDONLY): number {
  // The flag prevents waiting for the writer of a pipe.
  const file = openSync(files.path(path), access | constants.O_NONBLOCK, 0o600)
  try {
    checkRegular(fstatSync(file), access === constants.O_RDONLY ? undefined : path)
    return file
  } catch (error) {
    closeSync(file)
    throw error
  }
}

/** Starts a new line if a crash or a full disk cut off the last one. */
export function openToAppend(path: string): number {
  const file = openRegularFile(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT)
  protect(file)
  const { size } = fstatSync(file)
  const last = Buffer.from('\n')
  if (size > 0) readSync(file, last, 0, 1, size - 1)
  if (last.toString() !== '\n') writeAll(file, '\n')
  return file
}

export function readRegularFile(path: string): Buffer {
  const file = openRegularFile(path)
  try {
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

/** Appends all of it, even if the system writes only a part at a time. */
export function writeAll(file: number, content: string | Uint8Array): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
}

export function randomSuffix(): string {
  return Math.random().toString(36).slice(2, 10)
}

const partSize = 32 * 1024

/** Decodes each byte as one character, since a damaged line may not be UTF-8. The last line may be cut off. */
export function* readLines(path: string): Generator<string> {
  const file = openRegularFile(path)
  const part = Buffer.allocUnsafe(partSize)
  let rest = ''
  try {
    for (let size = readSync(file, part); size > 0; size = readSync(file, part)) {
      const lines = (rest + part.toString('latin1', 0, size)).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
    yield rest
  } finally {
    closeSync(file)
  }
}

/** `path`: of a file to write. An open file of a process (/dev/fd) must not be replaced. */
export function checkRegular(stats: Stats | undefined, path = ''): void {
  if (stats?.isFile() && !isDescriptorPath(path)) return
  throw Object.assign(new Error('Not a regular file'), { code: stats?.isDirectory() ? 'EISDIR' : 'NOTREGULAR' })
}

export function isDescriptorPath(path: string): boolean {
  return /^\/(dev\/(stdin|stdout|stderr|fd\/)|proc\/)/.test(path)
}

/** Also accepts a file that does not exist yet. */
export function realPath(path: string): string {
  if (isDescriptorPath(path)) return path
  return existsSync(path) ? realpathSync.native(path) : join(realPath(dirname(path)), basename(path))
}
