/** The one client: every command reaches the service through it, and every guard stands in it. */
import { NotFoundError, RejectedError, UnavailableError } from '../errors.ts'
import { collectAtMost } from '../files/read.ts'
import { emptyBody } from '../http/body.ts'
import type { Request, Response, Send } from '../http/message.ts'
import { encode } from '../json/exact.ts'
import { kindOf } from '../json/pick.ts'
import type { Item } from '../json/slice.ts'
import { addressOf, fill } from './address.ts'
import { readAnswer, refuseOtherRecord, unexpectedAnswer } from './answer.ts'
import { effectOf, rawEffectOf } from './effects.ts'
import type { Endpoint, PathOf } from './endpoints.ts'
import { faultOf } from './fault.ts'
import type { BodyOf } from './resources.ts'
import { withoutSecrets } from './sent-secrets.ts'

/** What a row wants filled in. The service leaves every query parameter and body field optional. */
export interface EndpointInput<E extends Endpoint> {
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

/** A row that reads one record by its id. */
export type RecordEndpoint = Endpoint & { readonly method: 'GET'; readonly path: `${string}/:id/` }

/** A success of the service. */
export interface Answer {
  readonly status: number
  /** The body; undefined where it is empty. */
  readonly item: Item | undefined
  /** True where a 404 followed a DELETE that was never answered: that it was deleted is inferred, not answered. */
  readonly inferred: boolean
}

export interface Client {
  /** Where relative paths go. */
  readonly base: URL
  /** Builds the request of a row without sending it. Throws `UsageError` for an id that cannot be a path segment. */
  request<E extends Endpoint>(endpoint: E, input: EndpointInput<E>): Request
  /** Builds a request for a path relative to the base URL, whether or not a row has it. */
  raw(method: string, path: string, params: readonly (readonly [string, string])[], body: unknown): Request
  /**
   * Sends a request and returns the 2xx, its body still to be read; throws the fitting `Failure` for every other
   * answer. The answer to a write is read and judged first, the body of a read is judged by whoever reads it.
   */
  send(request: Request): Promise<Response>
  /** Sends a request and reads its whole answer. Throws `RejectedError` where it is not the service's. */
  answer(request: Request): Promise<Answer>
  /** The same where only the body matters: one JSON value, or undefined where there is no body. */
  one(request: Request): Promise<Item | undefined>
  /**
   * Reads the record with the id in `path`. Throws `RejectedError`, code `not-the-service` or `other-record`, for any
   * answer that is not this record.
   */
  record<E extends RecordEndpoint>(
    endpoint: E,
    input: EndpointInput<E> & { readonly path: { readonly id: string } },
  ): Promise<Item>
}

/** Bytes of an answer that is read whole: nothing the service documents is nearly as large. */
const largest = 256 * 1024 * 1024

/** Bytes of a failed answer that are read to word it. */
const largestError = 1024 * 1024

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
        ...effectOf(endpoint, body),
      }
    },
    raw: (method, path, params, body) => ({
      method,
      url: addressOf(base, path, params),
      ...content(body),
      ...rawEffectOf(method, path, body),
    }),
    async send(request) {
      const response = await successOf(request, await send(request))
      if (request.effect === 'read' || response.body === emptyBody) return response
      const body = await whole(response)
      if (!asksForCsv(request)) readAnswer(request, response.status, body)
      return { ...response, body: body.length === 0 ? emptyBody : once(body) }
    },
    async answer(request) {
      const response = await successOf(request, await send(request))
      const { status, inferred = false, body } = response
      const item = body === emptyBody ? undefined : readAnswer(request, status, await whole(response))
      return { status, item, inferred }
    },
    async one(request) {
      return (await client.answer(request)).item
    },
    async record(endpoint, input) {
      const request = client.request(endpoint, input)
      const item = await client.one(request)
      if (!item) throw unexpectedAnswer(request, 'an empty body in place of a record')
      if (kindOf(item) !== 'object') throw unexpectedAnswer(request, `${kindOf(item)} in place of a record`)
      refuseOtherRecord(request, item, input.path.id)
      return item
    },
  }
  return client
}

async function successOf(request: Request, response: Response): Promise<Response> {
  const { status, unanswered } = response
  if (status >= 200 && status <= 299 && !isPage(response)) return response
  const text = await errorTextOf(response)
  const failure = faultOf(request, response, withoutSecrets(text, request.body))
  const isGone = failure instanceof NotFoundError && failure.facts.fromService
  // What an earlier attempt deleted without our learning of it is not there any more.
  if (isGone && unanswered && request.method === 'DELETE') {
    return { ...response, status: 204, body: emptyBody, inferred: true }
  }
  throw failure
}

async function errorTextOf({ body }: Response): Promise<string> {
  try {
    return (await collectAtMost(body, largestError))?.toString() ?? ''
  } catch (error) {
    // The status alone says enough when the text behind it is cut.
    if (!(error instanceof UnavailableError)) throw error
    return ''
  }
}

function content(body: unknown) {
  return body === undefined ? { headers: {} } : { headers: { 'content-type': 'application/json' }, body: encode(body) }
}

async function whole(response: Response): Promise<Buffer> {
  const body = await collectAtMost(response.body, largest)
  if (body) return body
  throw new RejectedError('The answer is larger than 256 MB, and was not read to its end')
}

async function* once(body: Buffer): AsyncGenerator<Uint8Array> {
  yield body
}

/** Only `--server-format csv`, or the same parameter given by hand, has a service answer a write with other than JSON. */
function asksForCsv({ url }: Request): boolean {
  return url.searchParams.get('format') === 'csv'
}

function isPage(response: Response): boolean {
  return /^\s*text\/html\b/i.test(response.headers['content-type'] ?? '')
}

function pairs(query: Readonly<Record<string, unknown>> = {}): [string, string][] {
  return Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
}
