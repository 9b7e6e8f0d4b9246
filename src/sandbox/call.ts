import type { Request } from '../http/message.ts'
import { encode, type Json, type JsonObject } from '../json/exact.ts'
import type { Store } from './store.ts'

/** Names of headers are in lower case. */
export type SandboxRequest = Pick<Request, 'method' | 'url' | 'headers' | 'body'>

/** A request that the router has checked. */
export interface Call {
  readonly store: Store
  /** Behaves like a real server in the thirteen ways of `docs/sandbox.md`. */
  readonly isObserved: boolean
  readonly now: number
  readonly url: URL
  /** The last of several with one name. */
  readonly query: ReadonlyMap<string, string>
  /** '' for a path without one, such as that of a list. */
  readonly id: string
  /** Id of the project or organization of the path; '' for the projects themselves. */
  readonly scopeId: string
  readonly body: JsonObject<Json>
}

export interface Reply {
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

export type Handler = (call: Call) => Reply

/** Ends a call with this reply and undoes its writes. */
export class ReplyError extends Error {
  readonly reply: Reply

  constructor(reply: Reply) {
    super()
    this.reply = reply
  }
}

export function jsonReply(value: unknown, status = 200): Reply {
  return { status, body: encode(value), headers: { 'content-type': 'application/json' } }
}

export function emptyReply(status: 202 | 204): Reply {
  return { status, body: '', headers: {} }
}

const types: Readonly<Record<number, string>> = {
  400: 'validation_error',
  401: 'authentication_error',
  403: 'authentication_error',
  429: 'throttled_error',
  500: 'server_error',
  503: 'server_error',
}

function errorReply(status: number, code: string, detail: string, attr: string | null = null): Reply {
  return jsonReply({ type: types[status] ?? 'invalid_request', code, detail, attr }, status)
}

export function waitReply(status: 429 | 503, code: string, detail: string, seconds: number): Reply {
  const reply = errorReply(status, code, detail)
  return { ...reply, headers: { ...reply.headers, 'retry-after': String(seconds) } }
}

export const serverError = errorReply(500, 'error', 'A server error occurred.')

export function refused(status: number, code: string, detail: string): ReplyError {
  return new ReplyError(errorReply(status, code, detail))
}

export function notFound(detail = 'Not found.'): ReplyError {
  return refused(404, 'not_found', detail)
}

/** Ends the call with 404 without a record. */
export function found<T>(record: T | undefined, detail?: string): T {
  if (record === undefined) throw notFound(detail)
  return record
}

export function invalid(attr: string | null, detail: string, code = 'invalid_input'): ReplyError {
  return new ReplyError(errorReply(400, code, detail, attr))
}

export function timestamp(ms: number): string {
  return new Date(ms).toISOString()
}
