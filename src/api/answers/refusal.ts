import type { Failure } from '../../errors.ts'
import { type Request, type Response, shownAddress } from '../../http/message.ts'
import { retryAfter } from '../../http/retry-after.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { clean, type ErrorBody, noErrorBody, readErrorBody } from './error-body.ts'
import { type GatewayMark, gatewayAnswer, isPage } from './gateway.ts'

export type FailedRequest = Pick<Request, 'method' | 'url' | 'effect'>

export type Answered = Pick<Response, 'status' | 'headers' | 'unanswered'>

export interface Refusal {
  readonly request: FailedRequest
  readonly status: number
  readonly errorBody: ErrorBody
  /** A mark that a proxy or firewall answered. */
  readonly gateway: GatewayMark | undefined
  /** It has the form of the service's errors: a JSON object with `detail`. */
  readonly isService: boolean
  /** Seconds that it asks to wait. */
  readonly seconds: number | undefined
  readonly facts: Failure['facts']
}

export function readRefusal(request: FailedRequest, answered: Answered, body: string, secrets: Secrets): Refusal {
  const { status, headers, unanswered } = answered
  const { method, url } = request
  const gateway = gatewayAnswer({ status, headers, body })
  const errorBody = isPage(headers, body) ? noErrorBody : readErrorBody(body, secrets)
  const seconds = retryAfter(headers, body)
  const facts = {
    status,
    code: errorBody.code,
    attr: errorBody.attr,
    method,
    url: shownAddress(url),
    requestId: headers['x-request-id'] === undefined ? undefined : clean(headers['x-request-id'], 100, secrets),
    retryable: false,
    retryAfter: seconds,
    unanswered,
  }
  return { request, status, errorBody, gateway, isService: hasDetail(body), seconds, facts }
}

export function worded(sentence: string, { status, errorBody, gateway }: Refusal): string {
  const { detail, attr } = errorBody
  const head = `${sentence} (${status})`
  if (gateway !== undefined && detail === undefined) return `${head}: the answer is ${gateway.what}`
  if (detail === undefined || sentence.toLowerCase() === detail.toLowerCase()) return head
  return attr === undefined || detail.includes(attr) ? `${head}: ${detail}` : `${head}: ${attr}: ${detail}`
}

function hasDetail(body: string): boolean {
  try {
    const { detail }: { readonly detail?: unknown } = JSON.parse(body) ?? {}
    return typeof detail === 'string' && detail.trim() !== ''
  } catch {
    return false
  }
}
