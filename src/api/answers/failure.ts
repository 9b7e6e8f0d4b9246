/** Which failure an answer is that is no success: its status decides, and whether the service or a proxy gave it. */
import {
  AuthError,
  type Failure,
  NotFoundError,
  notTheService,
  RateLimitedError,
  RejectedError,
  UnavailableError,
} from '../../errors.ts'
import { type Request, type Response, retryAfter, shownAddress } from '../../http/message.ts'
import { hintAfterWrite } from '../../http/transport/transport-error.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { parseUrl } from '../../values/url.ts'
import { clean, type ErrorBody, readErrorBody } from './error-body.ts'
import { objectNamedBy } from './named-object.ts'

type FailedRequest = Pick<Request, 'method' | 'url' | 'effect'>

type Answered = Pick<Response, 'status' | 'headers'>

type Kind = new (message: string, facts: Failure['facts']) => Failure

interface Row {
  readonly Kind: Kind
  readonly sentence: string
  readonly hint: string
}

const askAgain = 'Try again later. If it happens again, ask the operator of the service'
const checkBase = 'Check the base URL'
const correct = 'Correct the request. The server would reject the same request again'

const refused: Row = { Kind: RejectedError, sentence: 'The server rejected the request', hint: correct }
const failed: Row = { Kind: UnavailableError, sentence: 'The server failed', hint: askAgain }

const rows: Readonly<Record<number, Row>> = {
  401: {
    Kind: AuthError,
    sentence: 'The server rejected the key',
    hint: 'Check the key. It may be mistyped, revoked, for another server, or a project token',
  },
  402: {
    ...refused,
    sentence: 'The plan or license of the server does not include this',
    hint: 'Ask the operator of the service about its plan',
  },
  403: {
    Kind: AuthError,
    sentence: 'Not allowed',
    hint: 'The key lacks the scope for this, or its owner lacks the permission. Ask an administrator of the service',
  },
  404: { Kind: NotFoundError, sentence: 'Not found', hint: 'Check the path and the ids in it' },
  405: { ...refused, sentence: 'The server does not support this request', hint: 'Check the method and the path' },
  407: {
    ...refused,
    sentence: 'The proxy requires a user name and password',
    hint: 'Add them to the proxy variable: http://USER:PASSWORD@HOST:PORT',
  },
  408: { ...failed, sentence: 'The server timed out while reading the request' },
  413: { ...refused, sentence: 'The request is too large' },
  414: { ...refused, sentence: 'The URL of the request is too long' },
  421: { ...failed, sentence: 'The request reached a server that does not serve this host' },
  425: { ...failed, sentence: 'The server was not ready for the request' },
  429: { Kind: RateLimitedError, sentence: 'Too many requests', hint: 'Try again later' },
}

/** Marks of an answer that a proxy or firewall gave in place of the service, as words for it. */
export function gatewayMark({ status, headers }: Answered, body: string): string | undefined {
  if ('cf-mitigated' in headers) return 'a challenge (cf-mitigated)'
  if (/\bbasic\b/i.test(headers['www-authenticate'] ?? '')) return 'a login prompt (WWW-Authenticate)'
  if (isPage(headers, body) && !(status < 300 && body.trim() === '')) return 'a web page'
  // The service gives its reasons for these in JSON.
  return [401, 403, 404].includes(status) && /^\s*[^\s{["]/.test(body) ? 'plain text' : undefined
}

function isPage(headers: Answered['headers'], body: string): boolean {
  return /^\s*text\/html\b/i.test(headers['content-type'] ?? '') || /^\s*<(!doctype|html|head|body)\b/i.test(body)
}

/** A 2xx that comes here was sent by something else than the service. */
export function failureOf(request: FailedRequest, response: Response, body: string, secrets: Secrets): Failure {
  const { status, headers } = response
  const { method, url } = request
  const gateway = gatewayMark(response, body)
  const errorBody = readErrorBody(isPage(headers, body) ? '' : body, secrets)
  const requestId = headers['x-request-id']
  const { code, attr } = errorBody
  const facts: Facts = {
    ...{ status, code, attr, method, url: shownAddress(url), retryable: false },
    requestId: requestId === undefined ? undefined : clean(requestId, 100, secrets),
    retryAfter: retryAfter(headers, body),
  }
  if (status < 300 || status === 304) {
    const what = gateway ?? `status ${status}`
    return new RejectedError(`Unexpected response: ${what}`, { ...facts, hint: checkBase, code: notTheService })
  }
  if (status < 400) return redirected(url, headers.location, facts, secrets)
  const row = rows[status] ?? (status >= 500 ? failed : refused)
  const said = { gateway, errorBody, facts }
  if (row.Kind === UnavailableError) return unavailable(request, row, said)
  if (status === 429) return rateLimited(row, said)
  if (gateway !== undefined && status !== 407) return byGateway(url, row, said)
  if (status === 404) return missing(request, said)
  const isSilent = errorBody.detail === undefined && row.hint === correct
  const hint = isSilent ? 'The server gave no reason. It would reject the same request again' : row.hint
  return new row.Kind(worded(row, said), { ...facts, hint })
}

type Facts = Failure['facts']

interface Said {
  readonly gateway: string | undefined
  readonly errorBody: ErrorBody
  readonly facts: Facts
}

function worded({ sentence }: Row, { gateway, errorBody: { detail, attr }, facts }: Said): string {
  const head = `${sentence} (${facts.status})`
  if (gateway !== undefined && detail === undefined) return `${head}: the response is ${gateway}`
  if (detail === undefined || sentence.toLowerCase() === detail.toLowerCase()) return head
  return attr === undefined || detail.includes(attr) ? `${head}: ${detail}` : `${head}: ${attr}: ${detail}`
}

/** With `Retry-After`, a 503 means that nothing was done. */
function unavailable(request: FailedRequest, row: Row, said: Said): UnavailableError {
  const { status, retryAfter: asked } = said.facts
  const isWrite = request.effect === 'act' || request.method === 'DELETE'
  const mayHaveActed = isWrite && (status !== 503 || asked === undefined)
  return new UnavailableError(worded(row, said), {
    ...said.facts,
    hint: mayHaveActed ? hintAfterWrite(row.hint, true, request) : row.hint,
    retryable: !(mayHaveActed && request.effect === 'act'),
  })
}

function rateLimited(row: Row, said: Said): RateLimitedError {
  const { retryAfter: asked } = said.facts
  const when = asked === undefined ? row.hint : `Try again in ${asked} s`
  const hint = `${when}. Use --max-wait to wait longer, --retries to retry more, or --rate to send more slowly`
  return new RateLimitedError(worded(row, said), { ...said.facts, hint, retryable: true })
}

/** It says nothing of the key, the objects or the base URL. */
function byGateway(url: URL, row: Row, { gateway, errorBody: { detail }, facts }: Said): Failure {
  const sentence = row.Kind === RejectedError && row !== refused ? row.sentence : 'The request did not reach the server'
  const reason = detail === undefined ? '' : `: ${detail}`
  const message = `${sentence} (${facts.status}): a proxy or firewall responded with ${gateway}${reason}`
  const Kind = row.Kind === AuthError ? AuthError : RejectedError
  const hint = `Ask the operator of ${url.host} about a proxy or firewall in front of the server`
  return new Kind(message, { ...facts, hint, code: notTheService })
}

/** Only a `detail` shows that the 404 is the service's. */
function missing({ method, url }: FailedRequest, said: Said): NotFoundError {
  const { detail, isService } = said.errorBody
  const object = isService ? objectNamedBy(method, url) : undefined
  const isPlain = detail === undefined || /^not[ _]found$/i.test(detail)
  const name = object?.words ?? url.pathname
  const general = isService ? 'Check the path and the ids in it' : 'Check the base URL, then the path and the ids in it'
  return new NotFoundError(`${name} was not found${isPlain ? '' : `: ${detail}`}`, {
    ...said.facts,
    hint: object ? object.advice : general,
    isObject: isService,
  })
}

/** Following a redirect could send the key or a write to another server. */
function redirected(url: URL, location: string | undefined, facts: Facts, secrets: Secrets): RejectedError {
  const target = location === undefined ? undefined : parseUrl(location, url)
  if (!target) return new RejectedError('The server redirects without a Location header', { ...facts, hint: checkBase })
  const where = target.origin === 'null' ? `${target.protocol}//${target.host}` : target.origin
  return new RejectedError(`The server redirects to ${clean(where, 100, secrets)}`, {
    ...facts,
    hint: 'Check the base URL. analytics does not follow redirects, to protect the key',
  })
}
