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

/** A web page is a `RejectedError` with 404 and 2xx, else what its status says. */
export function failureOf(request: FailedRequest, answered: Answered, body: string, secrets: Secrets): Failure {
  const { method, url, effect } = request
  const { status, headers, unanswered } = answered
  const page = isPage(headers, body)
  const errorBody = page ? {} : readErrorBody(body, secrets)
  const seconds = retryAfter(headers, body)
  const facts = (hint: string, retryable: boolean) => ({
    hint,
    status,
    code: errorBody.code,
    attr: errorBody.attr,
    method,
    url: url.origin + url.pathname,
    requestId: headers['x-request-id'] === undefined ? undefined : clean(headers['x-request-id'], 100, secrets),
    retryable,
    retryAfter: seconds,
    unanswered,
    page: page || undefined,
  })
  const words = (sentence: string) => worded(sentence, status, errorBody, page)

  if (status < 300 || status === 304) {
    const what = page ? 'a web page' : `a ${status} that means nothing here`
    return new RejectedError(`Unexpected response: ${what}`, {
      ...facts(checkBaseOf(url), false),
      code: notTheService,
    })
  }
  if (status < 400) return redirected(url, headers.location, secrets, facts)
  if (status === 404) {
    const base = checkBaseOf(url)
    if (page) return new RejectedError(words('Not found'), { ...facts(base, false), code: notTheService })
    const fromService = hasDetail(body)
    const later = fromService ? laterPage(url, errorBody.detail) : undefined
    const object = later ?? (fromService ? namedObject(method, url.pathname) : undefined)
    const message = object === undefined ? words('Not found') : withDetail(`${object} was not found`, errorBody.detail)
    const advice = later === undefined ? adviceOnMissing(fromService, object) : 'Ask for an earlier page, or for --all'
    const hint = betterBaseOf(url) ? `${base}; if it is right, check the id` : advice
    return new NotFoundError(message, { ...facts(hint, false), fromService })
  }
  if (status === 401) {
    const hint = 'Check the key: it may be mistyped, withdrawn, or the key of another server'
    return new AuthError(words('The key was not accepted'), facts(hint, false))
  }
  if (status === 403) {
    const hint = "The key may lack the scope for this, or its owner the rights; the service's administrators can tell"
    return new AuthError(words('Not allowed'), facts(hint, false))
  }
  if (status === 429) {
    const hint = seconds === undefined ? 'Try again later' : `Try again in ${seconds} s`
    return new RateLimitedError(
      words('Too many requests'),
      facts(`${hint}; --rate slows down, --max-wait allows longer waits`, true),
    )
  }
  if (status >= 500) {
    // The service says when to try again where it did nothing.
    const isUnknown = (effect === 'act' || method === 'DELETE') && (status !== 503 || seconds === undefined)
    const later = 'Try again later; if it keeps happening, ask whoever runs the service'
    const hint = isUnknown ? hintAfterWrite(later, true, request) : later
    return new UnavailableError(words('The service failed'), facts(hint, !(isUnknown && effect === 'act')))
  }
  return new RejectedError(
    words(sentences[status] ?? 'The service refused the request'),
    facts(adviceOn(status, page, errorBody), false),
  )
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

function adviceOn(status: number, page: boolean, { detail }: ErrorBody): string {
  if (status === 402) return 'Ask whoever runs the service about its plan'
  if (status === 407) return 'Put a user name and password into the proxy variable'
  if (page) return checkBase
  if (status === 405) return 'Check the method and the path'
  if (detail === undefined && !sentences[status]) {
    return 'The service gave no reason; the same request would be refused again'
  }
  return 'Correct what the service objects to; the same request would be refused again'
}

/** Redirects are not followed: the key, or a write, would go where nobody sent it. */
function redirected(
  url: URL,
  location: string | undefined,
  secrets: Secrets,
  facts: (hint: string, retryable: boolean) => object,
): RejectedError {
  const target = location === undefined ? undefined : parseUrl(location, url)
  if (!target) {
    return new RejectedError('The answer leads somewhere else, but does not say where', facts(checkBase, false))
  }
  if (target.hostname === url.hostname && url.protocol === 'http:' && target.protocol === 'https:') {
    const hint = `Check the base URL: use ${target.origin}`
    return new RejectedError(`The service is at ${target.origin}, not at ${url.origin}`, facts(hint, false))
  }
  const page = /log-?in|sign-?in|auth|sso/i.test(target.pathname) ? 'a log-in page' : 'another address'
  const where = clean(target.origin === 'null' ? `${target.protocol}//${target.host}` : target.origin, 100, secrets)
  const hint = 'Check the base URL: redirects are not followed, as the key would travel along'
  return new RejectedError(`The answer leads to ${page} at ${where}`, facts(hint, false))
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
function worded(sentence: string, status: number, { detail, attr }: ErrorBody, page: boolean): string {
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
