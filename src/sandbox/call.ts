import type { Dialect } from '../config/sandbox-variable.ts'
import { decode, isObject } from '../json/exact.ts'
import { Malformed } from '../json/malformed.ts'
import { type Members, readMembers } from './members.ts'
import type { Store } from './store/store.ts'

export interface Asked {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

export interface Call {
  readonly isOfPersons: boolean
  readonly store: Store
  readonly dialect: Dialect
  readonly now: number
  readonly method: string
  readonly url: URL
  /** The last of equal names counts, as on servers. */
  readonly query: ReadonlyMap<string, string>
  readonly path: Readonly<Record<string, string>>
  /** Id of the project or organization in the path, which exists; '' for the projects themselves. */
  readonly scope: string
  readonly body: string
}

export interface Reply {
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

export type Handler = (call: Call) => Reply

export function byDialect(documented: Handler, observed: Handler): Handler {
  return call => (call.dialect === 'documented' ? documented : observed)(call)
}

/** Ends a call with this answer, and rolls back its writes. */
export class AnswerError extends Error {
  readonly answer: Reply

  constructor(answer: Reply) {
    super()
    this.answer = answer
  }
}

export function answer(json: string, status = 200): Reply {
  return { status, body: json, headers: { 'content-type': 'application/json' } }
}

export function empty(status: 202 | 204): Reply {
  return { status, body: '', headers: {} }
}

interface ServiceError {
  readonly type: string
  readonly code: string
  readonly detail: string
  readonly attr?: string | null
}

export function errorAnswer(status: number, error: ServiceError, headers: Reply['headers'] = {}): Reply {
  const { type, code, detail, attr = null } = error
  const reply = answer(JSON.stringify({ type, code, detail, attr }), status)
  return { ...reply, headers: { ...reply.headers, ...headers } }
}

/** Answer of servers to an error in their own code. */
export const serverError = errorAnswer(500, {
  type: 'server_error',
  code: 'error',
  detail: 'A server error occurred.',
})

export function refused(status: number, error: ServiceError, headers: Reply['headers'] = {}): AnswerError {
  return new AnswerError(errorAnswer(status, error, headers))
}

export function notFound(detail = 'Not found.'): AnswerError {
  return refused(404, { type: 'invalid_request', code: 'not_found', detail })
}

export function invalid(attr: string | null, detail: string, code = 'invalid_input'): AnswerError {
  return refused(400, { type: 'validation_error', code, detail, attr })
}

export interface RequestBody {
  readonly members: Members
  readonly values: Readonly<Record<string, unknown>>
}

/** An empty body counts as an empty object. Throws `AnswerError` for other invalid bodies. */
export function parseBody(call: Call): RequestBody {
  if (call.body.trim() === '') return { members: new Map(), values: {} }
  let values: unknown
  try {
    values = decode(call.body)
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    throw refused(400, { type: 'invalid_request', code: 'parse_error', detail: `JSON parse error: ${error.reason}` })
  }
  if (!isObject(values)) throw invalid(null, 'Invalid data. Expected a dictionary.')
  return { members: readMembers(call.body), values }
}

export function timestamp(ms: number): string {
  return new Date(ms).toISOString()
}
