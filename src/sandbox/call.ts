/** What a handler is given and what it answers, and the answers that are the same everywhere. */
import { decode } from '../json/exact.ts'
import { Malformed } from '../json/item.ts'
import { type Members, readMembers } from './members.ts'
import type { Store } from './store.ts'

/** How the sandbox answers: as the service's document says, or as servers were observed to. */
export type Dialect = 'documented' | 'observed'

export interface Call {
  readonly store: Store
  readonly dialect: Dialect
  /** The sandbox's time, in ms. */
  readonly now: number
  readonly method: string
  readonly url: URL
  /** The path's parameters, decoded. */
  readonly path: Readonly<Record<string, string>>
  /** What the path lies in: the id of a project or of an organization, which exists; empty for the projects themselves. */
  readonly scope: string
  /** The body's text; empty when there is none. */
  readonly body: string
  /** Between 0 and 1, how much of a page to give; undefined: all of it. */
  readonly share?: number | undefined
  /** ErrorBody: changes of event definitions are answered with 402. */
  readonly unlicensed?: boolean
  /** ErrorBody: a person is not deleted although the answer says so. */
  readonly stillThere?: boolean
}

export interface Answer {
  readonly status: number
  /** In pieces, so that a long page need not be one text. */
  readonly body: readonly string[]
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

export type Handler = (call: Call) => Answer

/** A handler that answers differently in each dialect. */
export function byDialect(documented: Handler, observed: Handler): Handler {
  return call => (call.dialect === 'documented' ? documented : observed)(call)
}

/** Ends a call with an answer; whatever it wrote is taken back. */
export class Denied extends Error {
  readonly answer: Answer

  constructor(answer: Answer) {
    super()
    this.answer = answer
  }
}

export function answer(json: string, status = 200): Answer {
  return { status, body: [json] }
}

/** An answer without a body. */
export function empty(status: 202 | 204): Answer {
  return { status, body: [] }
}

export interface ErrorBody {
  readonly type: string
  readonly code: string
  readonly detail: string
  readonly attr?: string | null
}

/** An error as servers of this API word it: `{"type","code","detail","attr"}`. */
export function errorAnswer(status: number, { type, code, detail, attr = null }: ErrorBody): Answer {
  return answer(JSON.stringify({ type, code, detail, attr }), status)
}

export function notFound(detail = 'Not found.'): Denied {
  return new Denied(errorAnswer(404, { type: 'invalid_request', code: 'not_found', detail }))
}

/** 400 for a field or parameter that holds what it may not. */
export function invalid(attr: string | null, detail: string, code = 'invalid_input'): Denied {
  return new Denied(errorAnswer(400, { type: 'validation_error', code, detail, attr }))
}

export interface Body {
  /** The members' JSON texts. */
  readonly members: Members
  /** The same as values. */
  readonly values: Readonly<Record<string, unknown>>
}

/** The body as an object; none counts as an empty one. Denies anything else. */
export function bodyOf(call: Call): Body {
  if (call.body.trim() === '') return { members: new Map(), values: {} }
  let values: unknown
  try {
    values = decode(call.body)
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    throw new Denied(
      errorAnswer(400, { type: 'invalid_request', code: 'parse_error', detail: `JSON parse error: ${error.reason}` }),
    )
  }
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw invalid(null, 'Invalid data. Expected a dictionary.')
  }
  return { members: readMembers(call.body), values: values as Record<string, unknown> }
}

/** A time as the service writes it: ISO 8601, UTC. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString()
}
