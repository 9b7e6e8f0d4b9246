import { constants } from 'node:buffer'
import { createReadStream } from 'node:fs'

/** In bytes: V8 holds no longer text. */
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
