import { constants, openSync, type Stats } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { Socket } from 'node:net'
import { isatty } from 'node:tty'
import { ReaderGone, UsageError } from '../errors.ts'
import type { Host } from '../host.ts'
import { linkTarget } from './link-target.ts'
import { createBeside } from './private-file.ts'
import { isDescriptorPath } from './regular-file.ts'
import { cannotWrite, codeOf } from './system-error.ts'
import { writeAll } from './write.ts'
import { writeStream } from './write-stream.ts'

type FileHost = Pick<Host, 'clock' | 'interrupted' | 'stdout'>

export interface Sink {
  /** True for `/dev/tty`, and for `/dev/stdout` at a terminal. */
  readonly isTerminal: boolean
  /** It may be the log of a CI job, such as `/dev/stdout`. */
  readonly isStream: boolean
  readonly replaces: boolean
  /** Throws `UnavailableError` if the disk is full, `ReaderGone` if the reader of a pipe closed it. */
  write(chunk: string | Uint8Array): Promise<void>
  /** Sets the mode 0600; does nothing for a path that is not a regular file. */
  restrict(): Promise<void>
  commit(): Promise<void>
  /** Removes the unfinished file, so that the old one stays. May be called after any commit. */
  discard(): Promise<void>
}

/** Devices and pipes are written directly. Throws `UsageError` if the path cannot be written. */
export function openFile(path: string, host: FileHost): Promise<Sink> {
  return namingFile(path, async () => {
    const existing = await statOf(path)
    if (existing?.isDirectory())
      throw new UsageError(`${path} cannot be written: that is a folder`, { hint: 'Name another file' })
    const descriptor = existing && descriptorOf(path)
    if (descriptor === 1) return straight(path, throughStdout(host))
    if (descriptor !== undefined && existing?.isFile()) return straight(path, openDescriptor(path, descriptor))
    const target = linkTarget(path)
    if (existing?.isFIFO()) return straight(path, await openPipe(target, host))
    if (existing && (!existing.isFile() || isDescriptorPath(path))) return straight(path, await openDevice(target))
    return atomic(path, existing)
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
  return {
    isTerminal: isatty(file.fd),
    write: chunk => namingFile(path, () => file.appendFile(chunk)),
    close: () => file.close(),
  }
}

/** Opening and writing a named pipe must not block a thread, which would keep the program from ending. */
async function openPipe(path: string, host: FileHost): Promise<Stream> {
  const fd = await openForReader(path, host)
  const stream = new Socket({ fd, readable: false, writable: true }).on('error', () => undefined)
  return {
    isTerminal: false,
    write: (chunk: string | Uint8Array) => writeStream(stream, chunk, host.interrupted),
    close: async () => void stream.destroy(),
  }
}

/** Milliseconds. */
const betweenTries = 50

/** Waits for a reader, who may come later; a descriptor that lost its reader cannot get a new one. */
async function openForReader(path: string, { clock, interrupted }: FileHost): Promise<number> {
  for (;;) {
    try {
      return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
    } catch (error) {
      if (codeOf(error) !== 'ENXIO' || isDescriptorPath(path)) throw error
    }
    await clock.sleep(betweenTries, interrupted)
  }
}

function atomic(path: string, existing: Stats | undefined): Sink {
  let mode: number | undefined = existing ? existing.mode & 0o777 : usualMode(path)
  // Private until it is whole, because a killed process leaves it there.
  const file = createBeside(path)
  const change = (act: () => void) => namingFile(path, async () => act())
  return {
    isTerminal: false,
    isStream: false,
    replaces: existing !== undefined,
    write: chunk => change(() => file.write(chunk)),
    restrict: () =>
      change(() => {
        mode = undefined
        file.chmod(0o600)
      }),
    commit: () =>
      change(() => {
        try {
          if (mode !== undefined) file.chmod(mode)
        } catch {
          // If the disk cannot change the mode, a private file is better than a lost answer.
        }
        file.commit()
      }),
    discard: async () => file.discard(),
  }
}

/** Reads the mode from a new file, since the umask cannot be read without setting it. */
function usualMode(path: string): number {
  const probe = createBeside(path, 0o666)
  try {
    return probe.mode() & 0o777
  } finally {
    probe.discard()
  }
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
    throw cannotWrite(`${path} cannot be written`, error, 'Name another file')
  }
}
