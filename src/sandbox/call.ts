import { decode, isObject } from '../json/exact.ts'
import { Malformed } from '../json/item.ts'
import { type Members, readMembers } from './members.ts'
import type { Store } from './store/store.ts'

/** `documented`: as in the service's document; `observed`: as real servers answer. */
export type Dialect = 'documented' | 'observed'

export interface Call {
  readonly store: Store
  readonly dialect: Dialect
  readonly now: number
  readonly method: string
  readonly url: URL
  /** The last of equal names counts, as for servers. */
  readonly query: ReadonlyMap<string, string>
  /** Decoded path parameters. */
  readonly path: Readonly<Record<string, string>>
  /** The id of the project or organization in the path, which exists; empty for the projects themselves. */
  readonly scope: string
  readonly body: string
  readonly share?: number | undefined
  /** Changes of event definitions are answered with 402. */
  readonly unlicensed?: boolean
  /** A person is not deleted although the answer says so. */
  readonly stillThere?: boolean
}

export interface Reply {
  readonly status: number
  /** In pieces, so that a long page is never one string. */
  readonly body: readonly string[]
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

export type Handler = (call: Call) => Reply

export function byDialect(documented: Handler, observed: Handler): Handler {
  return call => (call.dialect === 'documented' ? documented : observed)(call)
}

/** Ends a call with an answer and rolls back what it wrote. */
export class AnswerError extends Error {
  readonly answer: Reply

  constructor(answer: Reply) {
    super()
    this.answer = answer
  }
}

export function answer(json: string, status = 200): Reply {
  return { status, body: [json] }
}

export function empty(status: 202 | 204): Reply {
  return { status, body: [] }
}

interface ServiceError {
  readonly type: string
  readonly code: string
  readonly detail: string
  readonly attr?: string | null
}

export function errorAnswer(status: number, { type, code, detail, attr = null }: ServiceError): Reply {
  return answer(JSON.stringify({ type, code, detail, attr }), status)
}

/** What servers answer when their own code fails. */
export const serverError = errorAnswer(500, {
  type: 'server_error',
  code: 'error',
  detail: 'A server error occurred.',
})

export function notFound(detail = 'Not found.'): AnswerError {
  return new AnswerError(errorAnswer(404, { type: 'invalid_request', code: 'not_found', detail }))
}

export function invalid(attr: string | null, detail: string, code = 'invalid_input'): AnswerError {
  return new AnswerError(errorAnswer(400, { type: 'validation_error', code, detail, attr }))
}

export interface RequestBody {
  readonly members: Members
  readonly values: Readonly<Record<string, unknown>>
}

/** No body counts as an empty object; throws `AnswerError` for anything else. */
export function parseBody(call: Call): RequestBody {
  if (call.body.trim() === '') return { members: new Map(), values: {} }
  let values: unknown
  try {
    values = decode(call.body)
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    throw new AnswerError(
      errorAnswer(400, { type: 'invalid_request', code: 'parse_error', detail: `JSON parse error: ${error.reason}` }),
    )
  }
  if (!isObject(values)) throw invalid(null, 'Invalid data. Expected a dictionary.')
  return { members: readMembers(call.body), values }
}

export function timestamp(ms: number): string {
  return new Date(ms).toISOString()
}
