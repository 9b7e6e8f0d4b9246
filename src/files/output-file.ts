import { constants, renameSync, type Stats } from 'node:fs'
import { type FileHandle, open, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isatty } from 'node:tty'
import { ReaderGone, UsageError } from '../errors.ts'
import type { Host } from '../host.ts'
import { linkTarget } from './link-target.ts'
import { openPipe, type PipeHost } from './named-pipe.ts'
import { randomSuffix } from './random-suffix.ts'
import { isDescriptorPath } from './regular-file.ts'
import { codeOf, reasonOf } from './system-error.ts'
import { checkReplaceable, isWindows, refuseDevice, retryWhileOpen } from './windows-files.ts'
import { writeAll } from './write-all.ts'

export interface Sink {
  /** True for `/dev/tty`, and for `/dev/stdout` at a terminal. */
  readonly isTerminal: boolean
  /** It may be the log of a CI job, such as `/dev/stdout`. */
  readonly isStream: boolean
  readonly replaces: boolean
  /** Throws `UsageError` if the disk is full, `ReaderGone` if the reader of a pipe closed it. */
  write(chunk: string | Uint8Array): Promise<void>
  /** Sets the mode 0600; does nothing for a path that is not a regular file. */
  restrict(): Promise<void>
  commit(): Promise<void>
  /** Removes the unfinished file, so that the old one stays. May be called after any commit. */
  discard(): Promise<void>
}

/** Devices and pipes are written directly. Throws `UsageError` if the path cannot be written. */
export function openFile(path: string, host: PipeHost & Pick<Host, 'stdout'>): Promise<Sink> {
  return namingFile(path, async () => {
    const existing = await statOf(path)
    refuseDevice(path)
    if (existing?.isDirectory()) throw cannotWrite(path, ': that is a folder')
    const descriptor = existing && descriptorOf(path)
    if (descriptor === 1) return straight(path, throughStdout(host))
    if (descriptor !== undefined && existing?.isFile()) return straight(path, openDescriptor(path, descriptor))
    const target = linkTarget(path)
    if (existing?.isFIFO()) return straight(path, await openPipe(target, host))
    if (existing && (!existing.isFile() || isDescriptorPath(path))) return straight(path, await openDevice(target))
    return atomic(path, target, existing)
  })
}

interface Stream extends Pick<Sink, 'isTerminal' | 'write'> {
  close(): Promise<void>
}

function straight(path: string, { isTerminal, write, close }: Stream): Sink {
  return {
    isTerminal,
    isStream: true,
    replaces: false,
    write,
    restrict: async () => undefined,
    commit: () => namingFile(path, close),
    discard: close,
  }
}

/** Undefined unless the path names one of our own descriptors. */
function descriptorOf(path: string): number | undefined {
  const [, number] = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(path) ?? []
  return number === undefined ? standard[path] : Number(number)
}

const standard: Readonly<Record<string, number>> = { '/dev/stdin': 0, '/dev/stdout': 1, '/dev/stderr': 2 }

function throughStdout({ stdout }: Pick<Host, 'stdout'>): Stream {
  return {
    isTerminal: stdout.isTerminal,
    write: async chunk => stdout.write(chunk),
    close: async () => undefined,
  }
}

/** Opening the path again would start at offset 0 and overwrite what others write. */
function openDescriptor(path: string, descriptor: number): Stream {
  return {
    isTerminal: false,
    write: chunk => namingFile(path, async () => writeAll(descriptor, chunk)),
    close: async () => undefined,
  }
}

async function openDevice(path: string): Promise<Stream> {
  // Appends, since `/proc/PID/fd/1` may be a log of several writers.
  const file = await open(path, constants.O_WRONLY | constants.O_APPEND)
  return { isTerminal: isatty(file.fd), write: writer(path, file), close: () => file.close() }
}

async function atomic(path: string, target: string, existing: Stats | undefined): Promise<Sink> {
  if (existing) checkReplaceable(target)
  let mode = existing ? existing.mode & 0o777 : await usualMode(target)
  // In the same folder, because a rename works only within one disk; private, because a killed process leaves it there.
  const { file, name } = await fresh(target, 0o600)
  return {
    isTerminal: false,
    isStream: false,
    replaces: existing !== undefined,
    write: writer(path, file),
    restrict: () =>
      namingFile(path, async () => {
        mode = 0o600
        await file.chmod(mode)
      }),
    commit: () =>
      namingFile(path, async () => {
        // If the disk cannot change the mode, a private file is better than a lost answer.
        await file.chmod(mode).catch(() => undefined)
        await file.sync()
        await file.close()
        retryWhileOpen(() => renameSync(name, target))
      }),
    async discard() {
      await file.close()
      await unlink(name).catch(() => undefined)
    },
  }
}

/** Reads the mode from a new file, since the umask cannot be read without setting it. */
async function usualMode(target: string): Promise<number> {
  if (isWindows) return 0o666
  const { file, name } = await fresh(target, 0o666)
  try {
    return (await file.stat()).mode & 0o777
  } finally {
    await file.close()
    await unlink(name)
  }
}

async function fresh(target: string, mode: number): Promise<{ file: FileHandle; name: string }> {
  for (;;) {
    const name = join(dirname(target), `.${basename(target)}.${randomSuffix()}.tmp`)
    try {
      return { file: await open(name, 'wx', mode), name }
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
  }
}

function writer(path: string, file: FileHandle): Sink['write'] {
  return chunk =>
    namingFile(path, async () => {
      let rest = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      while (rest.length > 0) rest = rest.subarray((await file.write(rest)).bytesWritten)
    })
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

async function namingFile<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    const code = codeOf(error)
    if (code === undefined) throw error
    if (code === 'EPIPE') throw new ReaderGone()
    throw cannotWrite(path, reasonOf(error), error)
  }
}

function cannotWrite(path: string, reason: string, cause?: unknown): UsageError {
  return new UsageError(`${path} cannot be written${reason}`, { hint: 'Name another file', cause })
}
