/** Reads files and streams up to a size: a device, a pipe or a body need not have an end. */
import { createReadStream } from 'node:fs'

/** The bytes of a file, or undefined where it holds more than `most`. Rejects with Node's error where it cannot be read. */
export function readAtMost(path: string, most: number): Promise<Buffer | undefined> {
  return collectAtMost(createReadStream(path, { end: most }), most)
}

/** The bytes of a stream, or undefined, its rest unread, where it holds more than `most`. */
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
