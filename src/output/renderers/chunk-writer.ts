const size = 64 * 1024

/** Joins parts, each with the byte `end`, in one reused buffer: **a chunk is valid until the next one is read.** */
export function createChunkWriter(end?: number): (parts: readonly Uint8Array[]) => Generator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(size)
  return function* packed(parts) {
    let used = 0
    for (const part of parts) {
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
