import { constants as sizes } from 'node:buffer'
import { closeSync, constants, fstatSync, open, read } from 'node:fs'
import { platform } from 'node:os'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { UsageError } from '../errors.ts'

/** The longest text that V8 holds, in bytes. */
export const longestText = sizes.MAX_STRING_LENGTH

/** Undefined for a file of more than `most` bytes: a device or a pipe may be endless. Rejects with Node's error. */
export function readAtMost(path: string, most: number, signal: AbortSignal): Promise<Buffer | undefined> {
  return collectAtMost(chunksOf(path, path, signal), most)
}

/** Undefined for a stream of more than `most` bytes, whose rest is not read. */
export async function collectAtMost(source: AsyncIterable<Uint8Array>, most: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of source) {
    length += chunk.length
    if (length > most) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** As `whileUnchanged`. Throws Node's error for a file that cannot be read. */
export async function* chunksOf(path: string, where: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const file = await openToRead(path)
  const stream = await silentStream(file)
  if (stream) return yield* untilInterrupted(stream, signal)
  try {
    yield* whileUnchanged(file, readOn(file), where)
  } finally {
    closeSync(file)
  }
}

/** Linux opens a pipe that nobody writes to yet; on macOS it would seem to be at its end, so opening waits there. */
function openToRead(path: string): Promise<number> {
  return promisify(open)(path, platform() === 'linux' ? constants.O_RDONLY | constants.O_NONBLOCK : 'r')
}

/** For a pipe or a terminal, which may stay silent: a thread that waits for it would keep the process from ending. */
async function silentStream(file: number): Promise<Readable | undefined> {
  const found = fstatSync(file)
  if (found.isFIFO()) return new (await import('node:net')).Socket({ fd: file, readable: true, writable: false })
  if (!found.isCharacterDevice()) return undefined
  const { isatty, ReadStream } = await import('node:tty')
  return isatty(file) ? new ReadStream(file) : undefined
}

/** Passes the chunks of a stream on; throws the reason of the signal. */
export async function* untilInterrupted(stream: Readable, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const stop = () => stream.destroy(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    yield* stream
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Not as a stream: that closes the file where its reader stops early, and whoever opened it would close it again. */
async function* readOn(file: number): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { bytesRead, buffer } = await promisify(read)(file, Buffer.allocUnsafeSlow(chunkSize), 0, chunkSize, null)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
  }
}

const chunkSize = 64 * 1024

/** Passes the chunks of an open file on. Throws `UsageError` where the file was written to meanwhile: its last line may be cut off. */
export async function* whileUnchanged(
  file: number,
  chunks: AsyncIterable<Uint8Array>,
  where: string,
): AsyncGenerator<Uint8Array> {
  const before = versionOf(file)
  yield* chunks
  if (versionOf(file) === before) return
  throw new UsageError(`${where} was changed while it was read`, { hint: 'Try again when it is complete' })
}

/** Undefined for what is no regular file: a pipe has no other version. */
function versionOf(file: number): string | undefined {
  try {
    const found = fstatSync(file, { bigint: true })
    return found.isFile() ? `${found.size} ${found.mtimeNs}` : undefined
  } catch {
    return undefined
  }
}
