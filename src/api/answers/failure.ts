import {
  AuthError,
  type Failure,
  notTheService,
  RateLimitedError,
  RejectedError,
  UnavailableError,
} from '../../errors.ts'
import { isLostAnswer } from '../../http/message.ts'
import { hintAfterWrite } from '../../http/transport/faults.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { parseUrl } from '../../values/url.ts'
import { betterBaseOf, checkBase, checkBaseOf } from '../base-url.ts'
import { clean } from './error-body.ts'
import { type GatewayMark, webPage } from './gateway.ts'
import { missingFailure } from './not-found.ts'
import { type Answered, type FailedRequest, type Refusal, readRefusal, worded } from './refusal.ts'

/** A failure for any answer but a good one; it says who answered, as far as the answer shows it. */
export function failureOf(request: FailedRequest, answered: Answered, body: string, secrets: Secrets): Failure {
  const refusal = readRefusal(request, answered, body, secrets)
  const { status, gateway } = refusal
  if (status < 300 || status === 304) {
    const hint = gateway === undefined || gateway === webPage ? checkBaseOf(request.url) : askAbout(request)
    const facts = { ...refusal.facts, hint, code: notTheService }
    return new RejectedError(`Unexpected response: ${gateway?.what ?? `status ${status}`}`, facts)
  }
  if (status < 400) return redirected(refusal, answered.headers.location, secrets)
  if (status >= 500 || isLostAnswer(status)) return failed(refusal)
  const toFailure = byStatus[status] ?? refused
  return gateway === undefined || ofAnyone.has(status) ? toFailure(refusal) : refusedByGateway(refusal, gateway)
}

/** What these mean does not depend on who answered. */
const ofAnyone: ReadonlySet<number> = new Set([407, 429])

/** It says nothing of the key, the objects or the base URL. */
function refusedByGateway({ request, status, errorBody, facts }: Refusal, gateway: GatewayMark): Failure {
  const sentence = { 413: tooLarge, 414: tooLong }[status] ?? 'The request did not reach the service'
  const reason = errorBody.detail === undefined ? '' : `: ${errorBody.detail}`
  const advice = gateway.hint?.() ?? askAbout(request)
  const hint = betterBaseOf(request.url) === undefined ? advice : checkBaseOf(request.url)
  const Kind = status === 401 || status === 403 ? AuthError : RejectedError
  const message = `${sentence} (${status}): a proxy or firewall answered with ${gateway.what}${reason}`
  return new Kind(message, { ...facts, hint, code: notTheService })
}

function askAbout({ url }: FailedRequest): string {
  return `Ask whoever runs ${url.host} what stands in front of the service there`
}

const byStatus: Readonly<Record<number, (refusal: Refusal) => Failure>> = {
  401: refusal => {
    const hint = refusal.isService
      ? 'Check the key: it may be mistyped, withdrawn, or the key of another server'
      : `Check the key; ${unknownSender}`
    return new AuthError(worded('The key was not accepted', refusal), { ...refusal.facts, hint })
  },
  403: refusal => {
    const hint = refusal.isService
      ? 'The key may not have the scope for this, or its owner may not have the rights: ask an administrator of the service'
      : `The key may not have the rights for this; ${unknownSender}`
    return new AuthError(worded('Not allowed', refusal), { ...refusal.facts, hint })
  },
  404: missingFailure,
  429: refusal => {
    const { seconds, facts } = refusal
    const when = seconds === undefined ? 'Try again later' : `Try again in ${seconds} s`
    const hint = `${when}; --rate slows down, --max-wait allows longer waits`
    return new RateLimitedError(worded('Too many requests', refusal), { ...facts, hint, retryable: true })
  },
}

const unknownSender = 'a proxy or firewall may have answered too'

function failed(refusal: Refusal): Failure {
  const { request, status, seconds, facts } = refusal
  const { method, effect } = request
  // With `Retry-After`, a 503 means that nothing was done.
  const isUnknown = (effect === 'act' || method === 'DELETE') && (status !== 503 || seconds === undefined)
  const later = 'Try again later; if it keeps happening, ask whoever runs the service'
  const hint = isUnknown ? hintAfterWrite(later, true, request) : later
  const retryable = !(isUnknown && effect === 'act')
  return new UnavailableError(worded(sentences[refusal.status] ?? 'The service failed', refusal), {
    ...facts,
    hint,
    retryable,
  })
}

function refused(refusal: Refusal): Failure {
  const sentence = sentences[refusal.status] ?? 'The service refused the request'
  return new RejectedError(worded(sentence, refusal), { ...refusal.facts, hint: adviceOn(refusal) })
}

const tooLarge = 'The request is too large'
const tooLong = 'The address of the request is too long'

const sentences: Readonly<Record<number, string>> = {
  402: 'The plan or licence of the server does not include this',
  405: 'The service does not offer this here',
  413: tooLarge,
  414: tooLong,
  408: 'The server did not wait for the whole request',
  421: 'The request reached a server that does not answer for this address',
  425: 'The server was not ready for the request',
  407: 'The proxy wants a user name and password',
}

function adviceOn({ status, errorBody }: Refusal): string {
  if (status === 402) return 'Ask whoever runs the service about its plan'
  if (status === 407) return 'Put a user name and password into the proxy variable'
  if (status === 405) return 'Check the method and the path'
  if (errorBody.detail === undefined && !sentences[status]) {
    return 'The service gave no reason; the same request would be refused again'
  }
  return 'Correct what the service objects to; the same request would be refused again'
}

/** Following a redirect could send the key or a write to another server. */
function redirected({ request, facts }: Refusal, location: string | undefined, secrets: Secrets): RejectedError {
  const { url } = request
  const target = location === undefined ? undefined : parseUrl(location, url)
  if (!target) {
    const hint = checkBase
    return new RejectedError('The service redirects without an address', { ...facts, hint })
  }
  if (target.origin === url.origin && `${target.pathname}/` === url.pathname) {
    const hint = 'Each path of this API ends in a slash: have that redirect switched off where it is made'
    return new RejectedError(`The service redirects to the same path without its slash (${facts.status})`, {
      ...facts,
      hint,
    })
  }
  if (target.hostname === url.hostname && url.protocol === 'http:' && target.protocol === 'https:') {
    const hint = `Check the base URL: use ${target.origin}`
    return new RejectedError(`The service is at ${target.origin}, not at ${url.origin}`, { ...facts, hint })
  }
  const page = /log-?in|sign-?in|auth|sso/i.test(target.pathname) ? 'a log-in page' : 'another address'
  const where = clean(target.origin === 'null' ? `${target.protocol}//${target.host}` : target.origin, 100, secrets)
  const hint = 'Check the base URL: redirects are not followed, so that the key is not sent elsewhere'
  return new RejectedError(`The service redirects to ${page} at ${where}`, { ...facts, hint })
}
