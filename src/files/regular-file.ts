/** The program's own files: for this user only, and regular, since a pipe or a device may be endless or silent. */
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { files } from './platform.ts'
import { codeOf, writing } from './system-error.ts'

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
  if (files.protects && (fstatSync(file).mode & 0o077) !== 0) fchmodSync(file, 0o600)
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

/** Also makes missing parents. `recursive` of Node hangs within /proc. */
export function makePrivateFolder(folder: string): void {
  for (const missing of missingFolders(folder)) {
    try {
      mkdirSync(missing, { mode: 0o700 })
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
  }
}

export function missingFolders(folder: string): string[] {
  const missing: string[] = []
  for (let path = folder; !existsSync(path) && path !== dirname(path); path = dirname(path)) missing.unshift(path)
  return missing
}

/** Writes atomically. Replaces a symlink, which another user may have planted. */
export function writePrivateFile(path: string, option: string, text: string | Iterable<string>): void {
  withFileBeside(path, option, (file, fresh) => {
    for (const part of typeof text === 'string' ? [text] : text) writeAll(file, part)
    fsyncSync(file)
    files.replace(fresh, path)
    files.sync(dirname(path))
  })
}

/** Throws `UsageError` if the file cannot be written. Call it before the work. */
export function checkWritable(path: string, option: string): void {
  withFileBeside(path, option, () => undefined)
}

/** Uses the same folder, since a rename works only within one disk. */
function withFileBeside(path: string, option: string, use: (file: number, fresh: string) => void): void {
  writing(`${option}: ${path} cannot be written`, 'Use another file', () => {
    const existing = statSync(files.path(path), { throwIfNoEntry: false })
    if (existing || isDescriptorPath(path)) checkRegular(existing, path)
    const fresh = join(dirname(path), `.${basename(path)}.${randomSuffix()}.tmp`)
    const file = openSync(fresh, 'wx', 0o600)
    try {
      use(file, fresh)
    } finally {
      closeSync(file)
      rmSync(fresh, { force: true })
    }
  })
}

/** `path`: of a file to write. An open file of a process (/dev/fd) must not be replaced. */
function checkRegular(stats: Stats | undefined, path = ''): void {
  if (stats?.isFile() && !isDescriptorPath(path)) return
  throw Object.assign(new Error('Not a regular file'), { code: stats?.isDirectory() ? 'EISDIR' : 'NOTREGULAR' })
}

function isDescriptorPath(path: string): boolean {
  return /^\/(dev\/(stdin|stdout|stderr|fd\/)|proc\/)/.test(path)
}

/** Also accepts a file that does not exist yet. */
export function realPath(path: string): string {
  if (isDescriptorPath(path)) return path
  return existsSync(path) ? realpathSync.native(path) : join(realPath(dirname(path)), basename(path))
}
