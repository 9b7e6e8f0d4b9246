/** Reads files that the user named; `-` is stdin. Throws `UsageError` with `where`. */
import { constants, createReadStream, fstatSync, open } from 'node:fs'
import { platform } from 'node:os'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { UsageError } from '../errors.ts'
import { absolutePath, type Host } from '../host.ts'
import { files } from './platform.ts'
import { cannotRead, codeOf } from './system-error.ts'

export type InputHost = Pick<Host, 'cwd' | 'stdin' | 'interrupted'>

interface InputFile {
  readonly file: string
  readonly where: string
}

export async function* inputChunks(host: InputHost, { file, where }: InputFile): AsyncGenerator<Uint8Array> {
  try {
    yield* file === '-' ? host.stdin.read() : chunksOf(absolutePath(host, file), host.interrupted)
  } catch (cause) {
    // Node itself refuses a name with a null character.
    const isSystemError = cause instanceof Error && 'syscall' in cause
    if (!isSystemError && codeOf(cause) !== 'ERR_INVALID_ARG_VALUE') throw cause
    throw cannotRead(where, cause, 'Check the name, and that you can read it')
  }
}

/** A device or a pipe may be endless. */
type Limited = InputFile & { readonly maxBytes: number }

export async function readInput(host: InputHost, { maxBytes, ...input }: Limited): Promise<Buffer> {
  const bytes = await collectAtMost(inputChunks(host, input), maxBytes)
  if (bytes) return bytes
  throw new UsageError(`${input.where} is larger than ${Math.floor(maxBytes / 2 ** 20)} MB`)
}

export async function readInputText(host: InputHost, input: Limited): Promise<string> {
  return decodeUtf8(await readInput(host, input), input.where)
}

export function decodeUtf8(bytes: Uint8Array, where: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new UsageError(`${where} is not UTF-8 text`, { hint: 'Save it as UTF-8', cause: error })
  }
}

/** Returns undefined for more bytes, and stops reading. */
export async function collectAtMost(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of source) {
    length += chunk.length
    if (length > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Throws Node's error if the file cannot be read. */
export async function* chunksOf(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const file = await openToRead(path)
  yield* untilInterrupted((await silentStream(file)) ?? createReadStream(path, { fd: file }), signal)
}

/** Linux opens a pipe without a writer at once. macOS would then report its end, so it waits for a writer. */
function openToRead(path: string): Promise<number> {
  return promisify(open)(files.path(path), platform() === 'linux' ? constants.O_RDONLY | constants.O_NONBLOCK : 'r')
}

/** A thread that waits for a silent pipe or terminal would keep the process from ending. */
async function silentStream(file: number): Promise<Readable | undefined> {
  const stats = fstatSync(file)
  if (stats.isFIFO()) return new (await import('node:net')).Socket({ fd: file, readable: true, writable: false })
  if (!stats.isCharacterDevice()) return undefined
  const { isatty, ReadStream } = await import('node:tty')
  return isatty(file) ? new ReadStream(file) : undefined
}

/** Ends the input of a terminal on Windows, where Node does not handle it. */
const ctrlZ = 0x1a

export async function* untilInterrupted(stream: Readable, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const { addAbortSignal } = await import('node:stream')
  for await (const chunk of addAbortSignal(signal, stream)) {
    if ('isRaw' in stream && chunk[0] === ctrlZ) return
    yield chunk
  }
}
