/** The one client: every command reaches the service through it, and every guard stands in it. */
import { RejectedError, UnavailableError } from '../errors.ts'
import { emptyBody } from '../http/body.ts'
import type { Request, Response, Send } from '../http/message.ts'
import { encode } from '../json/exact.ts'
import { type Item, Malformed, slice } from '../json/slice.ts'
import { addressOf, fill } from './address.ts'
import { doing, doingOf } from './effects.ts'
import type { Endpoint, PathOf } from './endpoints.ts'
import { faultOf } from './fault.ts'
import type { BodyOf } from './resources.ts'
import { withoutSecrets } from './sent-secrets.ts'

/** What a row wants filled in. The service leaves every query parameter and body field optional. */
export interface Input<E extends Endpoint> {
  readonly path: PathOf<E['path']>
  /** Documented query parameters; undefined ones are left out. */
  readonly query?: { readonly [N in keyof E['query']]?: string | number | boolean | undefined }
  /** Query parameters that the service does not document. */
  readonly params?: readonly (readonly [string, string])[]
  /** Documented fields, typed by the row; `encode`d, so exact numbers stay exact. */
  readonly body?: BodyOf<E['body']> | undefined
  /** A whole body as the user gave it, documented or not. */
  readonly rawBody?: unknown
}

export interface Client {
  /** Where relative paths go. */
  readonly base: URL
  /** Builds the request of a row without sending it. Throws `UsageError` for an id that cannot be a path segment. */
  request<E extends Endpoint>(endpoint: E, input: Input<E>): Request
  /** Builds a request for a path relative to the base URL, whether or not a row has it. */
  raw(method: string, path: string, params: readonly (readonly [string, string])[], body: unknown): Request
  /** Sends a request; returns any 2xx and throws the fitting `Failure` for every other answer. */
  send(request: Request): Promise<Response>
  /** Sends a request and reads its whole answer: one JSON value, or undefined where there is no body. */
  one(request: Request): Promise<Item | undefined>
  /** The same, and whether the success is only inferred: the object is gone, and the answer that said so was lost. */
  answer(request: Request): Promise<Answer>
}

export interface Answer {
  readonly item: Item | undefined
  readonly inferred: boolean
}

/** An answer that is read whole is refused past this: nothing the service documents is nearly as large. */
const largest = 256 * 1024 * 1024

export function createClient(base: URL, send: Send): Client {
  const client: Client = {
    base,
    request(endpoint, input) {
      const body = input.rawBody === undefined ? input.body : input.rawBody
      return {
        method: endpoint.method,
        url: addressOf(base, fill(endpoint.path, input.path as Record<string, string>), [
          ...pairs(input.query),
          ...(input.params ?? []),
        ]),
        ...content(body),
        ...doing(endpoint, body),
      }
    },
    raw: (method, path, params, body) => ({
      method,
      url: addressOf(base, path, params),
      ...content(body),
      ...doingOf(method, path, body),
    }),
    async send(request) {
      const response = await send(request)
      // What an earlier attempt deleted without our learning so is not there any more.
      if (response.status === 404 && response.unanswered && request.method === 'DELETE' && !isPage(response)) {
        return { ...response, status: 204, body: emptyBody, inferred: true }
      }
      if (response.status < 200 || response.status > 299 || isPage(response)) {
        throw faultOf(request, response, withoutSecrets(await beginning(response), request.body))
      }
      return response
    },
    async one(request) {
      return (await client.answer(request)).item
    },
    async answer(request) {
      const response = await client.send(request)
      const { inferred = false } = response
      const body = await whole(response)
      if (body.length === 0) return { item: undefined, inferred }
      try {
        slice(body)
      } catch (error) {
        throw notService(request, error)
      }
      return { item: trimmed(body), inferred }
    },
  }
  return client
}

function content(body: unknown) {
  return body === undefined ? { headers: {} } : { headers: { 'content-type': 'application/json' }, body: encode(body) }
}

/** Reads a body to its end. Throws `RejectedError` past 256 MB. */
export async function whole(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body) {
    length += chunk.length
    if (length > largest) throw new RejectedError('The answer is larger than 256 MB, and was not read to its end')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The failure for an answer that is not JSON, or not the JSON that was expected. */
export function notService(request: Request, cause: unknown): RejectedError {
  if (!(cause instanceof Malformed)) throw cause
  return new RejectedError(`The answer is not the service's: ${cause.reason}`, {
    method: request.method,
    url: request.url.origin + request.url.pathname,
    hint: 'Check the base URL',
    cause,
  })
}

/** Enough of a failed answer to word it; the rest is not read. */
async function beginning(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of response.body) {
      chunks.push(chunk)
      length += chunk.length
      if (length > 64 * 1024) break
    }
  } catch (error) {
    // The status alone says enough when the text behind it is cut.
    if (!(error instanceof UnavailableError)) throw error
  }
  return Buffer.concat(chunks).toString('utf8')
}

function isPage(response: Response): boolean {
  return /^text\/html\b/i.test(response.headers['content-type'] ?? '')
}

function pairs(query: Readonly<Record<string, unknown>> = {}): [string, string][] {
  return Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
}

function trimmed(body: Buffer): Item {
  const white = (byte: number | undefined) => byte === 32 || byte === 10 || byte === 13 || byte === 9
  let start = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0
  let end = body.length
  while (white(body[start])) start++
  while (end > start && white(body[end - 1])) end--
  return body.subarray(start, end)
}
