import { constants } from 'node:buffer'
import { closeSync, createReadStream, fstatSync, open, read } from 'node:fs'
import { promisify } from 'node:util'
import { UsageError } from '../errors.ts'

/** The longest text that V8 holds, in bytes. */
export const longestText = constants.MAX_STRING_LENGTH

/** Undefined for a file of more than `most` bytes: a device or a pipe may be endless. Rejects with Node's error. */
export function readAtMost(path: string, most: number): Promise<Buffer | undefined> {
  return collectAtMost(createReadStream(path, { end: most }), most)
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
export async function* chunksOf(path: string, where: string): AsyncGenerator<Uint8Array> {
  const file = await promisify(open)(path, 'r')
  try {
    yield* whileUnchanged(file, readOn(file), where)
  } finally {
    closeSync(file)
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
