import { encode, type Json, type JsonObject } from '../json/exact.ts'
import type { Store } from './store.ts'

export interface Asked {
  readonly method: string
  readonly url: URL
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

/** A request of a known endpoint, with the right key, for a project or organization that exists. */
export interface Call {
  readonly store: Store
  /** Answers as real servers do, in the thirteen ways of `docs/sandbox.md`. */
  readonly isObserved: boolean
  readonly now: number
  readonly url: URL
  /** The last of equal names counts. */
  readonly query: ReadonlyMap<string, string>
  /** `:id` of the path; '' without one. */
  readonly id: string
  /** Id of the project or organization of the path; '' for the projects themselves. */
  readonly place: string
  /** Empty where the method has none. */
  readonly body: JsonObject<Json>
}

export interface Reply {
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

export type Handler = (call: Call) => Reply

/** Ends a call with this answer, and takes its writes back. */
export class AnswerError extends Error {
  readonly answer: Reply

  constructor(answer: Reply) {
    super()
    this.answer = answer
  }
}

export function answer(value: unknown, status = 200): Reply {
  return { status, body: encode(value), headers: { 'content-type': 'application/json' } }
}

export function empty(status: 202 | 204): Reply {
  return { status, body: '', headers: {} }
}

interface More {
  readonly attr?: string | null
  readonly headers?: Reply['headers']
}

const types: Readonly<Record<number, string>> = {
  400: 'validation_error',
  401: 'authentication_error',
  403: 'authentication_error',
  429: 'throttled_error',
}

export function errorAnswer(status: number, code: string, detail: string, { attr = null, headers }: More = {}): Reply {
  const type = status >= 500 ? 'server_error' : (types[status] ?? 'invalid_request')
  const reply = answer({ type, code, detail, attr }, status)
  return { ...reply, headers: { ...reply.headers, ...headers } }
}

/** Answer of servers to an error in their own code. */
export const serverError = errorAnswer(500, 'error', 'A server error occurred.')

export function refused(status: number, code: string, detail: string, more: More = {}): AnswerError {
  return new AnswerError(errorAnswer(status, code, detail, more))
}

export function notFound(detail = 'Not found.'): AnswerError {
  return refused(404, 'not_found', detail)
}

export function invalid(attr: string | null, detail: string, code = 'invalid_input'): AnswerError {
  return refused(400, code, detail, { attr })
}

export function timestamp(ms: number): string {
  return new Date(ms).toISOString()
}
