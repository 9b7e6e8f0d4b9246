import { closeSync, constants, fstatSync, open, read } from 'node:fs'
import { platform } from 'node:os'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { UsageError } from '../errors.ts'

/** Undefined above `most` bytes; the rest is not read. */
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

/** Like `whileUnchanged`; throws Node's error if the file cannot be read. */
export async function* chunksOf(path: string, where: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const file = await openToRead(path)
  const stream = await silentStream(file)
  if (stream) return yield* untilInterrupted(stream, signal)
  try {
    yield* whileUnchanged(file, readChunks(file), where)
  } finally {
    closeSync(file)
  }
}

/** Without a writer, Linux opens a pipe at once; macOS would then report its end, so opening must wait there. */
function openToRead(path: string): Promise<number> {
  return promisify(open)(path, platform() === 'linux' ? constants.O_RDONLY | constants.O_NONBLOCK : 'r')
}

/** A thread that waits for a silent pipe or terminal would keep the process from ending. */
async function silentStream(file: number): Promise<Readable | undefined> {
  const found = fstatSync(file)
  if (found.isFIFO()) return new (await import('node:net')).Socket({ fd: file, readable: true, writable: false })
  if (!found.isCharacterDevice()) return undefined
  const { isatty, ReadStream } = await import('node:tty')
  return isatty(file) ? new ReadStream(file) : undefined
}

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

/** A Node stream would close the file early, and its opener would close it again. */
async function* readChunks(file: number): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { bytesRead, buffer } = await promisify(read)(file, Buffer.allocUnsafeSlow(chunkSize), 0, chunkSize, null)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
  }
}

const chunkSize = 64 * 1024

/** Throws `UsageError` if the file was written to meanwhile, since its last line may be incomplete. */
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

function versionOf(file: number): string | undefined {
  try {
    const found = fstatSync(file, { bigint: true })
    return found.isFile() ? `${found.size} ${found.mtimeNs}` : undefined
  } catch {
    return undefined
  }
}
