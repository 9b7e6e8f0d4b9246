import { UnavailableError } from '../errors.ts'
import type { Response } from './message.ts'

export const emptyBody: AsyncIterable<Uint8Array> = {
  async *[Symbol.asyncIterator]() {},
}

export async function* bodyFrom(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}

interface BodyStart {
  readonly response: Response
  /** Fewer bytes arrived than announced. */
  readonly isCut: boolean
  /** At most so many bytes, or all that were read in advance. */
  text(most?: number): string
}

/** Reads up to `limit` bytes ahead, so that a break can be retried. Throws `UnavailableError` for a cut success. */
export async function readStart(response: Response, limit: number): Promise<BodyStart> {
  const source = response.body[Symbol.asyncIterator]()
  const chunks: Uint8Array[] = []
  try {
    for (let length = 0; length < limit; ) {
      const { done, value } = await source.next()
      if (done) return replaying(response, chunks, undefined, false)
      chunks.push(value)
      length += value.length
    }
  } catch (error) {
    if (response.status < 300 || !(error instanceof UnavailableError)) throw error
    // A text that is cut off may end with a part of the key, which no search finds.
    return replaying(response, isJson(chunks) ? chunks : [], undefined, true)
  }
  return replaying(response, chunks, source, false)
}

function textOf(chunks: readonly Uint8Array[], most = Number.POSITIVE_INFINITY): string {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  return Buffer.concat(chunks, Math.min(most, length)).toString('utf8')
}

function isJson(chunks: readonly Uint8Array[]): boolean {
  try {
    JSON.parse(textOf(chunks))
    return true
  } catch {
    return false
  }
}

function replaying(
  response: Response,
  chunks: Uint8Array[],
  rest: AsyncIterator<Uint8Array> | undefined,
  isCut: boolean,
): BodyStart {
  return {
    response: { ...response, body: chunks.length > 0 || rest ? new Replay(chunks, rest) : emptyBody },
    isCut,
    text: most => textOf(chunks, most),
  }
}

class Replay implements AsyncIterableIterator<Uint8Array> {
  #chunks: Uint8Array[]
  #rest: AsyncIterator<Uint8Array> | undefined

  constructor(chunks: Uint8Array[], rest: AsyncIterator<Uint8Array> | undefined) {
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
