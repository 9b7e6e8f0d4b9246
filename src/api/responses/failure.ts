/** Maps an error response to a Failure, by its status and by whether the service or a proxy sent it. */
import {
  AuthError,
  type Failure,
  NotFoundError,
  notTheService,
  RateLimitedError,
  RejectedError,
  UnavailableError,
} from '../../errors.ts'
import { isLostResponse, type Request, type Response, shownAddress } from '../../http/message.ts'
import { hintAfterWrite } from '../../http/transport/transport-error.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { type Collection, idForms, isId } from '../../values/ids.ts'
import { parseUrl, percentDecoded } from '../../values/url.ts'
import { knownEndpointOf } from '../endpoints.ts'
import { clean, readErrorBody } from './error-body.ts'

type FailureDetails = Failure['details']
type ErrorBody = ReturnType<typeof readErrorBody>

interface Row {
  readonly Kind: new (message: string, details: FailureDetails) => Failure
  readonly sentence: string
  readonly hint: string
}

const checkBase = 'Check the base URL'

const refused: Row = {
  Kind: RejectedError,
  sentence: 'The server rejected the request',
  hint: 'Correct the request. The server would reject the same request again',
}

const failed: Row = {
  Kind: UnavailableError,
  sentence: 'The server failed',
  hint: 'Try again later. If it happens again, ask the operator of the service',
}

const rows: Readonly<Record<number, Row>> = {
  401: {
    Kind: AuthError,
    sentence: 'The server rejected the key',
    hint: 'Check that the key is complete, is not revoked, belongs to this server, and is not a project token',
  },
  402: {
    Kind: RejectedError,
    sentence: 'The plan or license of the server does not include this',
    hint: 'Ask the operator of the service about its plan',
  },
  403: {
    Kind: AuthError,
    sentence: 'Not allowed',
    hint: 'The key lacks the scope for this, or its owner lacks the permission. Ask an administrator of the service',
  },
  429: {
    Kind: RateLimitedError,
    sentence: 'Too many requests',
    hint: 'Use --max-wait to wait longer, --retries to retry more, or --rate to send more slowly',
  },
}

/** Names the sign that a proxy or firewall sent the response instead of the service. */
export function gatewayMark(response: Response): string | undefined {
  const { status, headers, body } = response
  if ('cf-mitigated' in headers) return 'a challenge (cf-mitigated)'
  if (/\bbasic\b/i.test(headers['www-authenticate'] ?? '')) return 'a login prompt (WWW-Authenticate)'
  const start = startOf(body)
  if (isPage(response) && !(status < 300 && start.trim() === '')) return 'a web page'
  // The service explains these statuses in JSON.
  return [401, 403, 404].includes(status) && /^\s*[^\s{["]/.test(start) ? 'plain text' : undefined
}

function isPage({ headers, body }: Response): boolean {
  return (
    /^\s*text\/html\b/i.test(headers['content-type'] ?? '') || /^\s*<(!doctype|html|head|body)\b/i.test(startOf(body))
  )
}

function startOf(body: Buffer): string {
  return body.toString('utf8', 0, 100)
}

/** A 2xx that comes here was not sent by the service. */
export function failureOf(request: Request, response: Response, secrets: Secrets): Failure {
  const { status, headers } = response
  const { method, url, effect } = request
  const text = response.body.toString().replace(/^\uFEFF/, '')
  const gateway = gatewayMark(response)
  const errorBody = readErrorBody(isPage(response) ? '' : text, secrets)
  const { code, attr } = errorBody
  const requestId = headers['x-request-id']
  const details: FailureDetails = {
    ...{ status, code, attr, method, url: shownAddress(url), retryable: false },
    requestId: requestId === undefined ? undefined : clean(requestId, 100, secrets),
    retryAfterSeconds: retryAfter(headers, text),
  }
  if (status < 300 || status === 304) {
    const what = gateway ?? `status ${status}`
    return new RejectedError(`Unexpected response: ${what}`, { ...details, hint: checkBase, code: notTheService })
  }
  if (status < 400) return redirected(url, headers.location, details, secrets)
  const row = rows[status] ?? (status >= 500 || isLostResponse(status) ? failed : refused)
  const isBlocked = gateway !== undefined && row !== failed && status !== 429
  const sentence = isBlocked ? 'The request did not reach the server' : row.sentence
  const message = `${sentence} (${status})${reasonIn(errorBody, sentence, gateway)}`
  if (row === failed) {
    const isWrite = effect === 'act' || method === 'DELETE'
    // With `Retry-After`, a 503 means that nothing was done.
    const mayHaveActed = isWrite && (status !== 503 || details.retryAfterSeconds === undefined)
    const hint = mayHaveActed ? hintAfterWrite(request) : row.hint
    return new UnavailableError(message, { ...details, hint, retryable: !(mayHaveActed && effect === 'act') })
  }
  if (status === 429) {
    const when = details.retryAfterSeconds === undefined ? 'later' : `in ${details.retryAfterSeconds} s`
    return new RateLimitedError(message, { ...details, hint: `Try again ${when}. ${row.hint}`, retryable: true })
  }
  if (isBlocked) {
    // The response says nothing about the key, the objects or the base URL.
    const hint = `Ask the operator of ${url.host} about a proxy or firewall in front of the server`
    return new row.Kind(message, { ...details, hint, code: notTheService })
  }
  if (status === 404) return missing(request, errorBody, details)
  return new row.Kind(message, { ...details, hint: row.hint })
}

/** Seconds, rounded up; the largest of several. A date is compared with `Date` of the response, because the local clock may be wrong. */
function retryAfter({ 'retry-after': value = '', date = '' }: Response['headers'], body: string) {
  if (/^[\d.,\s]+$/.test(value)) return finite(Math.max(...value.split(',').map(Number)))
  const ms = /[a-z]/i.test(value) ? Date.parse(value) - Date.parse(date) : Number.NaN
  if (!Number.isNaN(ms)) return Math.max(0, Math.ceil(ms / 1000))
  const seconds = /Expected available in (\d+) seconds?/.exec(body)?.[1]
  return seconds === undefined ? undefined : finite(Number(seconds))
}

function finite(seconds: number): number | undefined {
  return Number.isFinite(seconds) ? Math.ceil(seconds) : undefined
}

function reasonIn({ detail, attr }: ErrorBody, sentence: string, gateway: string | undefined): string {
  const by = gateway === undefined ? '' : `: a proxy or firewall responded with ${gateway}`
  if (detail === undefined || sentence.toLowerCase() === detail.toLowerCase()) return by
  return attr === undefined || detail.includes(attr) ? `${by}: ${detail}` : `${by}: ${attr}: ${detail}`
}

/** Only a `detail` shows that the service sent the 404. */
function missing({ method, url }: Request, { detail, isService }: ErrorBody, details: FailureDetails): NotFoundError {
  const object = isService ? objectNamedBy(method, url) : undefined
  const reason = detail === undefined || /^not[ _]found$/i.test(detail) ? '' : `: ${detail}`
  const checkPath = `${isService ? 'Check' : `${checkBase}, then`} the path and the ids in it`
  return new NotFoundError(`${object?.words ?? url.pathname} was not found${reason}`, {
    ...details,
    hint: object?.hint ?? checkPath,
    isMissingObject: isService,
  })
}

/** Names the object of a 404 by its URL, such as `Person 42 of project 1`. */
function objectNamedBy(method: string, { pathname, searchParams }: URL) {
  const [path = ''] = /\/api\/(?:projects|organizations)\/.*$/.exec(pathname) ?? []
  if (!knownEndpointOf(method, path)) return undefined
  const segments = path.split('/').map(percentDecoded)
  const named = segments.flatMap((segment, i) => {
    const id = segments[i + 1] ?? ''
    return isCollection(segment) && isId(segment, id) ? [`${idForms[segment].of.replace(/^an? /, '')} ${id}`] : []
  })
  // The cohorts of a person are a view of the project.
  const person = searchParams.get('person_id') ?? ''
  if (isId('persons', person)) named.push(`person ${person}`)
  if (named.length === 0) return undefined
  const words = named
    .toReversed()
    .join(' of ')
    .replace(/^./, letter => letter.toUpperCase())
  if (named.length > 1) return { words, hint: 'Check the id, and the project or organization that it belongs to' }
  // A view may be missing in a project that exists; a list never is.
  const view = segments.slice(4, -1)
  return {
    words: view.length > 1 ? `${words}, or ${view.join('/')} in it,` : words,
    hint: 'Check the id in the command, the environment or the profile; analytics projects list shows the projects of this key',
  }
}

function isCollection(segment: string): segment is Collection {
  return Object.hasOwn(idForms, segment)
}

/** Following a redirect could send the key or a write to another server. */
function redirected(url: URL, location: string | undefined, details: FailureDetails, secrets: Secrets): RejectedError {
  const target = location === undefined ? undefined : parseUrl(location, url)
  if (!target)
    return new RejectedError('The server redirects without a Location header', { ...details, hint: checkBase })
  const where = target.origin === 'null' ? `${target.protocol}//${target.host}` : target.origin
  return new RejectedError(`The server redirects to ${clean(where, 100, secrets)}`, {
    ...details,
    hint: 'Check the base URL. analytics does not follow redirects, to protect the key',
  })
}
