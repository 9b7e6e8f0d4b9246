import { pipeline } from 'node:stream'

interface Decoding {
  /** Bytes; a small answer may expand to gigabytes. */
  readonly most: number
  readonly onArrived: (bytes: number) => void
  readonly tooLarge: () => Error
  /** For a stream that is cut off or damaged. */
  readonly broken: (error: Error) => Error
}

/** Decodes a body while it arrives. Ending it early ends the body too. */
export function gunzip(body: AsyncIterableIterator<Uint8Array>, decoding: Decoding): AsyncIterableIterator<Uint8Array> {
  const decoded = decode(body, decoding)
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next: () => decoded.next(),
    // A generator that has not begun would leave the body open.
    async return() {
      await body.return?.()
      return decoded.return(undefined)
    },
  }
}

async function* decode(
  body: AsyncIterable<Uint8Array>,
  { most, onArrived, tooLarge, broken }: Decoding,
): AsyncGenerator<Uint8Array, undefined> {
  // Few servers compress, so that most commands need no zlib.
  const { createGunzip } = await import('node:zlib')
  const stream: AsyncIterable<Buffer> = pipeline(body, createGunzip({ chunkSize: 64 * 1024 }), () => undefined)
  let bytes = 0
  try {
    for await (const chunk of stream) {
      bytes += chunk.length
      if (bytes > most) throw tooLarge()
      onArrived(chunk.length)
      yield chunk
    }
  } catch (error) {
    throw error instanceof Error && 'code' in error && String(error.code).startsWith('Z_') ? broken(error) : error
  }
  return undefined
}
