import type { Failure } from '../../errors.ts'
import { type Request, shownAddress } from '../../http/message.ts'
import { retryAfter } from '../../http/retry-after.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { clean, type ErrorBody, readErrorBody } from './error-body.ts'

export type FailedRequest = Pick<Request, 'method' | 'url' | 'effect'>

export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly unanswered?: boolean
}

export interface Refusal {
  readonly request: FailedRequest
  readonly status: number
  readonly body: string
  readonly errorBody: ErrorBody
  readonly page: boolean
  /** Seconds that it asks to wait. */
  readonly seconds: number | undefined
  readonly facts: Failure['facts']
}

export function readRefusal(request: FailedRequest, answered: Answered, body: string, secrets: Secrets): Refusal {
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
    url: shownAddress(url),
    requestId: headers['x-request-id'] === undefined ? undefined : clean(headers['x-request-id'], 100, secrets),
    retryable: false,
    retryAfter: seconds,
    unanswered,
    page: page || undefined,
  }
  return { request, status, body, errorBody, page, seconds, facts }
}

export function worded(sentence: string, { status, errorBody, page }: Refusal): string {
  const { detail, attr } = errorBody
  const head = `${sentence} (${status})`
  if (page) return `${head}: the answer is a web page`
  if (detail === undefined || sentence.toLowerCase() === detail.toLowerCase()) return head
  return attr === undefined || detail.includes(attr) ? `${head}: ${detail}` : `${head}: ${attr}: ${detail}`
}

export function isPage(headers: Answered['headers'], body: string): boolean {
  return /^\s*text\/html\b/i.test(headers['content-type'] ?? '') || /^\s*<(!doctype|html|head|body)\b/i.test(body)
}
