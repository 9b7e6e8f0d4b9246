/** Files that somebody named. */
import { createReadStream } from 'node:fs'

/**
 * The bytes of a file, or undefined where it holds more than `most`: a device or a pipe need not have an end.
 * Rejects with Node's error where it cannot be read.
 */
export async function readAtMost(path: string, most: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of createReadStream(path, { end: most })) {
    chunks.push(chunk)
    length += chunk.length
  }
  return length > most ? undefined : Buffer.concat(chunks)
}
