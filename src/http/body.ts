import type { Response } from './message.ts'

/** A body without a byte in it. */
export const emptyBody: AsyncIterable<Uint8Array> = {
  async *[Symbol.asyncIterator]() {},
}

export interface Held {
  /** The same response; its body gives the held chunks first, then the rest as it streams. */
  readonly response: Response
  /** What was held, as text. */
  text(): string
}

/**
 * Reads a body until it ends or `limit` bytes have come, so that a cut within them shows now, while the request can
 * still be sent again. Throws what reading throws.
 */
export async function hold(response: Response, limit: number): Promise<Held> {
  const source = response.body[Symbol.asyncIterator]()
  const chunks: Uint8Array[] = []
  for (let length = 0; length < limit; ) {
    const { done, value } = await source.next()
    if (done) return held(response, chunks, undefined)
    chunks.push(value)
    length += value.length
  }
  return held(response, chunks, source)
}

function held(response: Response, chunks: Uint8Array[], rest: AsyncIterator<Uint8Array> | undefined): Held {
  return {
    response: { ...response, body: chunks.length > 0 || rest ? new Replay(chunks, rest) : emptyBody },
    text: () => Buffer.concat(chunks).toString('utf8'),
  }
}

/** Not a generator: one that is ended before its first step would leave the connection behind it open. */
class Replay implements AsyncIterableIterator<Uint8Array> {
  #chunks: Uint8Array[]
  #rest: AsyncIterator<Uint8Array> | undefined

  constructor(chunks: Uint8Array[], rest: AsyncIterator<Uint8Array> | undefined) {
    // Its own list, emptied as it is read: what has been read is not to stay in memory.
    this.#chunks = [...chunks].reverse()
    this.#rest = rest
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    const value = this.#chunks.pop()
    if (value) return { done: false, value }
    return this.#rest ? this.#rest.next() : { done: true, value: undefined }
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.#chunks = []
    const rest = this.#rest
    this.#rest = undefined
    await rest?.return?.()
    return { done: true, value: undefined }
  }
}
