import { Failure, UsageError } from '../errors.ts'
import { orNotSent, type Request, type Response, type Send, type Sent } from '../http/message.ts'
import { encode, isObject, valueAt } from '../json/exact.ts'
import type { ObjectItem } from '../json/read-item.ts'
import { isSecretName } from '../secrets/secret-names.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { type Collection, checkId } from '../values/ids.ts'
import { effectOf, rawEffectOf } from './effects.ts'
import { type Endpoint, projects } from './endpoints.ts'
import { failureOf, gatewayMark } from './responses/failure.ts'
import { idOf } from './responses/record-identity.ts'
import { type ParsedResponse, parseResponse, requestedRecord } from './responses/response.ts'

type PathOf<P extends string> = P extends `${string}/:${infer Name}/${infer Rest}`
  ? { readonly [K in Name]: string } & PathOf<`/${Rest}`>
  : object

interface EndpointInput<E extends Endpoint> {
  readonly path: PathOf<E['path']>
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: unknown
}

/** A complete 2xx response, parsed when it is read. */
export interface LazyResponse {
  readonly body: Buffer
  read(): ParsedResponse
}

export interface Client {
  readonly base: URL
  with(limits: Pick<Request, 'maxWaitMs' | 'signal'>): Client
  request<E extends Endpoint>(endpoint: E, input: EndpointInput<E>): Request
  raw(method: string, path: string, params: readonly (readonly [string, string])[], body: unknown): Request
  /** Throws only for bugs. */
  send(request: Request): Promise<Sent<ParsedResponse>>
  /** Throws for a status other than 2xx, a web page, invalid JSON, and a write whose response does not prove it. */
  response(request: Request): Promise<ParsedResponse>
  /** Like `response`, but the caller decides when a large response is parsed. */
  lazyResponse(request: Request): Promise<LazyResponse>
  record<E extends Endpoint>(
    endpoint: E,
    input: EndpointInput<E> & { readonly path: { readonly id: string } },
  ): Promise<ObjectItem>
}

/** Adds secret fields of bodies to `secrets`, because some servers repeat them in errors. */
export function createClient(base: URL, send: Send, secrets: Secrets): Client {
  const bodyParts = (body: unknown) => {
    if (body === undefined) return { headers: {} }
    for (const [name, value] of Object.entries(isObject(body) ? body : {})) {
      if (typeof value === 'string' && isSecretName(name)) secrets.add(value)
    }
    return { headers: { 'content-type': 'application/json' }, body: encode(body) }
  }
  const parsedResponse = (request: Request, response: Response) =>
    parseResponse(request, response, request.url.pathname.slice(base.pathname.length - 1), secrets)
  const client: Client = {
    base,
    // V8 frees the result of a spread here only in a full collection.
    with: limits => createClient(base, request => send(Object.assign({}, limits, request)), secrets),
    request(endpoint, { path: parameters, query = {}, body }) {
      const params = Object.entries(query).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, String(value)]],
      )
      const { method } = endpoint
      const url = requestUrl(base, fillPath(endpoint.path, parameters), params)
      return { method, url, ...bodyParts(body), ...effectOf(endpoint, body) }
    },
    raw(method, path, params, body) {
      return { method, url: requestUrl(base, path, params), ...bodyParts(body), ...rawEffectOf(method, path, body) }
    },
    async send(request) {
      const sent = await orNotSent(() => send(request))
      if (sent.certainty !== 'answered') return sent
      try {
        return { ...sent, response: parsedResponse(request, succeeded(request, sent, secrets)) }
      } catch (failure) {
        if (failure instanceof Failure) return { ...sent, response: failure }
        throw failure
      }
    },
    async response(request) {
      return (await client.lazyResponse(request)).read()
    },
    async lazyResponse(request) {
      const response = succeeded(request, await send(request), secrets)
      let parsed = request.effect === 'read' ? undefined : parsedResponse(request, response)
      return { body: response.body, read: () => (parsed ??= parsedResponse(request, response)) }
    },
    async record(endpoint, input) {
      const request = client.request(endpoint, input)
      return requestedRecord(request, await client.response(request), input.path.id)
    },
  }
  return client
}

/** Throws `UsageError` for an invalid id; valid ids need no encoding. */
function fillPath(path: string, parameters: object): string {
  const ids = new Map<string, string>(Object.entries(parameters))
  return path.replace(/([^/]+)\/:(\w+)/g, (_, collection: Collection, name: string) => {
    return `${collection}/${checkId(collection, ids.get(name) ?? '')}`
  })
}

function requestUrl(base: URL, path: string, query: readonly (readonly [string, string])[]): URL {
  const url = new URL(base.href.slice(0, -1) + path)
  for (const [name, value] of query) url.searchParams.append(name, value)
  return url
}

/** Throws unless the response is a 2xx that is not a web page. */
function succeeded(request: Request, sent: Sent, secrets: Secrets): Response {
  if (sent.certainty !== 'answered') throw sent.failure
  const { response } = sent
  if (response instanceof Failure) throw response
  if (response.status >= 200 && response.status <= 299 && !gatewayMark(response)) return response
  throw failureOf(request, response, secrets)
}

export async function currentProject(client: Client): Promise<string> {
  const { value } = await client.record(projects.get, { path: { id: '@current' } })
  return idOf(value, 'projects')
}

export async function organizationOf(client: Client, project: string | undefined): Promise<string> {
  if (project === undefined) throw noOrganization()
  const organization = valueAt((await client.record(projects.get, { path: { id: project } })).value, 'organization')
  if (organization !== undefined && organization !== null) return idOf({ id: organization }, 'organizations')
  throw new UsageError(`Project ${project} has no organization in its record`, { hint: 'Use --organization ID' })
}

export function noOrganization(): UsageError {
  return new UsageError('No organization given', {
    hint: 'Use --organization ID, or --project ID to read it from the project',
  })
}
