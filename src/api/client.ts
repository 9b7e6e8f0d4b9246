import { Failure, RejectedError } from '../errors.ts'
import { collectAtMost } from '../files/read.ts'
import { bodyFrom, emptyBody, readStart } from '../http/body.ts'
import type { Request, Response, Send } from '../http/message.ts'
import { decode, encode, isObject } from '../json/exact.ts'
import type { Item, ObjectItem } from '../json/item.ts'
import { isSecretName } from '../secrets/secret-names.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { type Answer, readAnswer, recordIn, refuseUnproved } from './answers/answer.ts'
import { failureOf } from './answers/failure.ts'
import { gatewayAnswer, isPage, webPage } from './answers/gateway.ts'
import { effectOf, rawEffectOf } from './effects.ts'
import type { Endpoint, PathOf } from './endpoints.ts'
import { addressOf, fill } from './path.ts'
import type { BodyOf, Resource } from './resources.ts'

export interface EndpointInput<E extends Endpoint> {
  readonly path: PathOf<E['path']>
  readonly query?: { readonly [N in keyof E['query']]?: string | number | boolean | undefined }
  readonly params?: readonly (readonly [string, string])[]
  readonly body?: BodyOf<E['body']> | undefined
  readonly rawBody?: unknown
}

export type RecordEndpoint = Endpoint & {
  readonly method: 'GET'
  readonly path: `${string}/:id/`
  readonly returns: { readonly shape: 'one'; readonly of: Resource }
}

export interface Received {
  readonly response: Response
  /** The body, where the whole of it was read and is not empty. */
  readonly item: Item | undefined
  readonly failure: Failure | undefined
}

type Limits = Pick<Request, 'connections' | 'maxWait' | 'left' | 'check' | 'afterInterrupt'>

export interface Client {
  readonly base: URL
  within(limits: Limits): Client
  request<E extends Endpoint>(endpoint: E, input: EndpointInput<E>): Request
  raw(method: string, path: string, params: readonly (readonly [string, string])[], body: unknown): Request
  /** Throws for a status other than 2xx, a web page, invalid JSON, and a write that another record answers. */
  send(request: Request): Promise<Response>
  /** Like `send`, but returns the failure together with the response, whose body is then read completely. */
  sendForAny(request: Request): Promise<Received>
  /** Reads the whole answer. Throws `RejectedError` if another server or another record answers. */
  answer(request: Request): Promise<Answer>
  one(request: Request): Promise<Item | undefined>
  /** Throws `RejectedError` unless the answer is the record with this id. */
  record<E extends RecordEndpoint>(
    endpoint: E,
    input: EndpointInput<E> & { readonly path: { readonly id: string } },
  ): Promise<ObjectItem>
}

/** Bytes; documented answers are far smaller. */
const largest = 256 * 1024 * 1024

const largestError = 1024 * 1024

/** Bytes, enough to recognise a web page without reading a whole list. */
const startLength = 16

/** `secrets` learns the secret fields that are sent, which some servers repeat in errors. */
export function createClient(base: URL, send: Send, secrets: Secrets): Client {
  const pathOf = ({ url }: Request) => url.pathname.slice(base.pathname.length - 1)
  const checked = (request: Request, response: Response, body: Buffer): Received => {
    const { status } = response
    try {
      const item = readAnswer(request, status, body, secrets)
      if (request.effect !== 'read') refuseUnproved(request, { item, status }, pathOf(request), secrets)
      return { response, item, failure: undefined }
    } catch (failure) {
      if (failure instanceof Failure) return { response, item: undefined, failure }
      throw failure
    }
  }
  /** `most`: bytes of the body of an error. `whole`: reads all of the body of a success too. */
  const receive = async (request: Request, most: number, whole = false): Promise<Received> => {
    for (const secret of secretsIn(request.body)) secrets.add(secret)
    const answered = await send(request)
    if (!isSuccess(answered)) return refused(request, answered, secrets, most)
    if (answered.body === emptyBody) {
      // An empty body is a good answer to a write that can be repeated, and all that a dry run gets.
      const isGood = request.effect !== 'act' || 'x-dry-run' in answered.headers
      return isGood ? unread(answered) : checked(request, answered, Buffer.alloc(0))
    }
    const { response, text } = await readStart(answered, startLength)
    const start = text(startLength)
    if (isPage(response.headers, start)) return refused(request, response, secrets, most)
    if (!whole && !mustBeJson(request, response.headers, start)) return unread(response)
    const body = await wholeBody(response)
    return checked(request, { ...response, body: body.length === 0 ? emptyBody : bodyFrom([body]) }, body)
  }
  const client: Client = {
    base,
    // Node 20 makes and keeps a hidden class for each copy by spreading that gets more fields.
    within: limits => createClient(base, request => send(Object.assign({}, limits, request)), secrets),
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
    send: async request => succeeded(await receive(request, largestError)).response,
    sendForAny: request => receive(request, largest),
    async answer(request) {
      const { response, item } = succeeded(await receive(request, largestError, true))
      return { status: response.status, item, unanswered: response.unanswered }
    },
    async one(request) {
      return (await client.answer(request)).item
    },
    async record(endpoint, input) {
      const request = client.request(endpoint, input)
      return recordIn(request, await client.answer(request), input.path.id)
    },
  }
  return client
}

function secretsIn(body: string | undefined): string[] {
  const fields = body === undefined ? undefined : decode(body)
  if (!isObject(fields)) return []
  return Object.entries(fields).flatMap(([name, value]) =>
    typeof value === 'string' && isSecretName(name) ? [value] : [],
  )
}

function isSuccess({ status, headers }: Response): boolean {
  return status >= 200 && status <= 299 && gatewayAnswer({ status, headers, body: '' }) === undefined
}

function unread(response: Response): Received {
  return { response, item: undefined, failure: undefined }
}

async function refused(request: Request, response: Response, secrets: Secrets, most: number): Promise<Received> {
  const body = await collectAtMost(response.body, most)
  const text = body && body.length <= largestError ? body.toString().replace(/^\uFEFF/, '') : undefined
  // Some servers send an empty body with the type of a web page.
  const isPageOnly = gatewayAnswer({ ...response, body: '' }) === webPage
  if (response.status < 300 && text?.trim() === '' && isPageOnly) return unread({ ...response, body: emptyBody })
  const failure = failureOf(request, response, text ?? '', secrets)
  return { response: { ...response, body: body ? bodyFrom([body]) : emptyBody }, item: undefined, failure }
}

function succeeded(received: Received): Received {
  if (received.failure) throw received.failure
  return received
}

function content(body: unknown) {
  return body === undefined ? { headers: {} } : { headers: { 'content-type': 'application/json' }, body: encode(body) }
}

export async function wholeBody(response: Response): Promise<Buffer> {
  const body = await collectAtMost(response.body, largest)
  if (body) return body
  throw new RejectedError('The answer is larger than 256 MB, and was not read to its end')
}

/** Writes are answered in JSON, and so are documented reads with a `format`, except requested CSV. */
function mustBeJson(request: Request, headers: Response['headers'], start: string): boolean {
  const { effect, method, url, isDocumented } = request
  const format = url.searchParams.get('format') ?? ''
  const isRead = effect === 'read'
  const mayBeCsv = isRead || (method !== 'DELETE' && /csv|^$/i.test(headers['content-type'] ?? ''))
  const looksLikeJson = /^\s*(\{\s*["}]|\[\s*["{[\]\d-])/.test(start)
  if (format === 'csv' && mayBeCsv && !looksLikeJson) return false
  return !isRead || (isDocumented === true && ['csv', 'json'].includes(format))
}

function pairs(query: Readonly<Record<string, unknown>> = {}): [string, string][] {
  return Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
}
