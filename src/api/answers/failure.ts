/** Turns an answer that is no success into a failure: its class by the status, its words by the body. */
import {
  AuthError,
  type Failure,
  NotFoundError,
  notTheService,
  RateLimitedError,
  RejectedError,
  UnavailableError,
} from '../../errors.ts'
import type { Request } from '../../http/message.ts'
import { retryAfter } from '../../http/retry-after.ts'
import { hintAfterWrite } from '../../http/transport-errors.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { parseUrl } from '../../values/url.ts'
import { namedObject } from '../named-object.ts'
import { betterBaseOf, checkBase, checkBaseOf } from './base-url-advice.ts'
import { clean, type ErrorBody, readErrorBody } from './error-body.ts'

type FailedRequest = Pick<Request, 'method' | 'url' | 'effect'>

interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly unanswered?: boolean
}

/** An answer that is no success, as it was read. */
interface Refusal {
  readonly request: FailedRequest
  readonly status: number
  readonly body: string
  readonly errorBody: ErrorBody
  /** Whether it is a web page. */
  readonly page: boolean
  /** What it asks to wait. */
  readonly seconds: number | undefined
  readonly facts: Failure['facts']
}

/** A web page is a `RejectedError` with 404 and 2xx, else what its status says. */
export function failureOf(request: FailedRequest, answered: Answered, body: string, secrets: Secrets): Failure {
  const refusal = readRefusal(request, answered, body, secrets)
  const { status, page } = refusal
  if (status < 300 || status === 304) {
    const what = page ? 'a web page' : `a ${status} that means nothing here`
    const facts = { ...refusal.facts, hint: checkBaseOf(request.url), code: notTheService }
    return new RejectedError(`Unexpected response: ${what}`, facts)
  }
  if (status < 400) return redirected(refusal, answered.headers.location, secrets)
  const judge = judges[status] ?? (status < 500 ? refused : failed)
  return judge(refusal)
}

function readRefusal(request: FailedRequest, answered: Answered, body: string, secrets: Secrets): Refusal {
  const { status, headers, unanswered } = answered
  const { method, url } = request
  const page = isPage(headers, body)
  const errorBody = page ? {} : readErrorBody(body, secrets)
  const seconds = retryAfter(headers, body)
  const facts = {
    status,
    code: errorBody.code,
    attr: errorBody.attr,
    method,
    url: url.origin + url.pathname,
    requestId: headers['x-request-id'] === undefined ? undefined : clean(headers['x-request-id'], 100, secrets),
    retryable: false,
    retryAfter: seconds,
    unanswered,
    page: page || undefined,
  }
  return { request, status, body, errorBody, page, seconds, facts }
}

const judges: Readonly<Record<number, (refusal: Refusal) => Failure>> = {
  401: refusal => {
    const hint = 'Check the key: it may be mistyped, withdrawn, or the key of another server'
    return new AuthError(worded('The key was not accepted', refusal), { ...refusal.facts, hint })
  },
  403: refusal => {
    const hint = "The key may lack the scope for this, or its owner the rights; the service's administrators can tell"
    return new AuthError(worded('Not allowed', refusal), { ...refusal.facts, hint })
  },
  404: notFound,
  429: refusal => {
    const { seconds, facts } = refusal
    const when = seconds === undefined ? 'Try again later' : `Try again in ${seconds} s`
    const hint = `${when}; --rate slows down, --max-wait allows longer waits`
    return new RateLimitedError(worded('Too many requests', refusal), { ...facts, hint, retryable: true })
  },
}

function notFound(refusal: Refusal): Failure {
  const { request, page, body, errorBody, facts } = refusal
  const { method, url } = request
  const base = checkBaseOf(url)
  if (page) return new RejectedError(worded('Not found', refusal), { ...facts, hint: base, code: notTheService })
  const fromService = hasDetail(body)
  const later = fromService ? laterPage(url, errorBody.detail) : undefined
  const object = later ?? (fromService ? namedObject(method, url.pathname) : undefined)
  const message =
    object === undefined ? worded('Not found', refusal) : withDetail(`${object} was not found`, errorBody.detail)
  const advice = later === undefined ? adviceOnMissing(fromService, object) : 'Ask for an earlier page, or for --all'
  const hint = betterBaseOf(url) ? `${base}; if it is right, check the id` : advice
  return new NotFoundError(message, { ...facts, hint, fromService })
}

function failed(refusal: Refusal): Failure {
  const { request, status, seconds, facts } = refusal
  const { method, effect } = request
  // The service says when to try again where it did nothing.
  const isUnknown = (effect === 'act' || method === 'DELETE') && (status !== 503 || seconds === undefined)
  const later = 'Try again later; if it keeps happening, ask whoever runs the service'
  const hint = isUnknown ? hintAfterWrite(later, true, request) : later
  const retryable = !(isUnknown && effect === 'act')
  return new UnavailableError(worded('The service failed', refusal), { ...facts, hint, retryable })
}

function refused(refusal: Refusal): Failure {
  const sentence = sentences[refusal.status] ?? 'The service refused the request'
  return new RejectedError(worded(sentence, refusal), { ...refusal.facts, hint: adviceOn(refusal) })
}

const sentences: Readonly<Record<number, string>> = {
  402: 'The plan or licence of the server does not include this',
  405: 'The service does not offer this here',
  407: 'The proxy wants a user name and password',
  413: 'The request is too large for the service',
}

function adviceOnMissing(fromService: boolean, object: string | undefined): string {
  if (object !== undefined)
    return adviceOnPlace(object) ?? 'Check the id, and the project or organization that it belongs to'
  return fromService ? 'Check the path and the ids in it' : 'Check the base URL, then the path and the ids in it'
}

/** For what no argument need have named. */
function adviceOnPlace(object: string): string | undefined {
  if (/^Organization \S+$/.test(object)) return 'Check the id in the command, ANALYTICS_ORGANIZATION or the profile'
  if (!/^Project \S+$/.test(object)) return undefined
  return 'Check the id in the command, ANALYTICS_PROJECT or the profile; analytics projects list shows the projects of this key'
}

function adviceOn({ status, page, errorBody }: Refusal): string {
  if (status === 402) return 'Ask whoever runs the service about its plan'
  if (status === 407) return 'Put a user name and password into the proxy variable'
  if (page) return checkBase
  if (status === 405) return 'Check the method and the path'
  if (errorBody.detail === undefined && !sentences[status]) {
    return 'The service gave no reason; the same request would be refused again'
  }
  return 'Correct what the service objects to; the same request would be refused again'
}

/** Redirects are not followed: the key, or a write, would go where nobody sent it. */
function redirected({ request, facts }: Refusal, location: string | undefined, secrets: Secrets): RejectedError {
  const { url } = request
  const target = location === undefined ? undefined : parseUrl(location, url)
  if (!target) {
    const hint = checkBase
    return new RejectedError('The answer leads somewhere else, but does not say where', { ...facts, hint })
  }
  if (target.hostname === url.hostname && url.protocol === 'http:' && target.protocol === 'https:') {
    const hint = `Check the base URL: use ${target.origin}`
    return new RejectedError(`The service is at ${target.origin}, not at ${url.origin}`, { ...facts, hint })
  }
  const page = /log-?in|sign-?in|auth|sso/i.test(target.pathname) ? 'a log-in page' : 'another address'
  const where = clean(target.origin === 'null' ? `${target.protocol}//${target.host}` : target.origin, 100, secrets)
  const hint = 'Check the base URL: redirects are not followed, as the key would travel along'
  return new RejectedError(`The answer leads to ${page} at ${where}`, { ...facts, hint })
}

/** Undefined where the service may mean the object, not the page. */
function laterPage(url: URL, detail = ''): string | undefined {
  const page = url.searchParams.get('page') ?? ''
  return /^([2-9]|[1-9]\d{1,8})$/.test(page) && /\bpage\b/i.test(detail) ? `Page ${page}` : undefined
}

function isPlain(detail: string | undefined): boolean {
  return detail === undefined || /^not[ _]found$/i.test(detail)
}

/** A detail that only says "not found" again adds nothing. */
function withDetail(sentence: string, detail: string | undefined): string {
  return isPlain(detail) ? sentence : `${sentence}: ${detail}`
}

/** What happened, the status, and what the service says about it. */
function worded(sentence: string, { status, errorBody, page }: Refusal): string {
  const { detail, attr } = errorBody
  const head = `${sentence} (${status})`
  if (page) return `${head}: the answer is a web page`
  if (detail === undefined || sentence.toLowerCase() === detail.toLowerCase()) return head
  return attr === undefined || detail.includes(attr) ? `${head}: ${detail}` : `${head}: ${attr}: ${detail}`
}

/** Proxies and gateways say 404 in other shapes. */
function hasDetail(body: string): boolean {
  try {
    const { detail }: { readonly detail?: unknown } = JSON.parse(body) ?? {}
    return typeof detail === 'string' && detail.trim() !== ''
  } catch {
    return false
  }
}

export function isPage(headers: Answered['headers'], body: string): boolean {
  return /^\s*text\/html\b/i.test(headers['content-type'] ?? '') || /^\s*<(!doctype|html|head|body)\b/i.test(body)
}
