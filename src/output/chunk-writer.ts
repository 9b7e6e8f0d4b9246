const size = 64 * 1024

/**
 * Joins small parts into chunks that are worth a write, each part with the byte `end` behind it where one is given.
 * One buffer is used over and over, so that an export leaves no garbage of its own size: **a chunk is good until the
 * next one is asked for.**
 */
export function createChunkWriter(end?: number): (parts: readonly Uint8Array[]) => Generator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(size)
  return function* packed(parts) {
    let used = 0
    for (const part of parts) {
      // One byte is kept for the end.
      if (used > 0 && used + part.length >= size) {
        yield buffer.subarray(0, used)
        used = 0
      }
      if (part.length >= size) {
        yield part
      } else {
        buffer.set(part, used)
        used += part.length
      }
      if (end !== undefined) buffer[used++] = end
    }
    if (used > 0) yield buffer.subarray(0, used)
  }
}
