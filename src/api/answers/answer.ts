/** A 2xx comes from the service only if its body is empty or the service's JSON. */
import { isUtf8 } from 'node:buffer'
import { notTheService, otherRecord, RejectedError } from '../../errors.ts'
import { type Request, shownAddress } from '../../http/message.ts'
import { type Item, Malformed } from '../../json/item.ts'
import { elements, kindOf } from '../../json/pick.ts'
import { slice } from '../../json/slice.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { isUuid } from '../../values/ids.ts'
import type { NamedRecord } from '../effects.ts'
import { isErrorObject } from './error-answer.ts'
import { readErrorBody } from './error-body.ts'
import { canonicalId, hasShapeOf, idsIn, isNumericId } from './record-identity.ts'

export function readAnswer(request: Request, status: number, body: Buffer, secrets: Secrets): Item | undefined {
  const item = trimBody(body)
  if (item.length === 0) return undefined
  try {
    slice(item)
    refuseInvalid(item)
  } catch (error) {
    throw malformedAnswer(request, error, status)
  }
  const kind = kindOf(item)
  if (kind === 'object' && isErrorObject(request, item)) {
    const { detail } = readErrorBody(item.toString(), secrets)
    const what = `an error with status ${status}${detail === undefined ? '' : `: ${detail}`}`
    throw unexpectedAnswer(request, what, { status })
  }
  if (request.effect !== 'read' && kind !== 'object' && kind !== 'array' && kind !== 'null') {
    throw unexpectedAnswer(request, `a bare ${kind}`, { status })
  }
  if (request.effect !== 'read' && request.isDocumented && kind !== 'object') {
    // An accepted write may be answered without the record.
    const mustBeRecord = request.method === 'PATCH' && status !== 202
    const isList = kind === 'array' && elements(item).length > 0
    if (mustBeRecord || isList)
      throw unexpectedAnswer(request, `${describeKind(kind)} instead of one record`, { status })
  }
  return item
}

function describeKind(kind: string): string {
  if (kind === 'null') return kind
  return kind === 'array' ? 'a list' : `a ${kind}`
}

export interface Answer {
  readonly item: Item | undefined
  readonly status: number
}

/** Throws `RejectedError` unless the answer is the record with this id. */
export function recordIn(request: Request, { item, status }: Answer, id: string): Item {
  const record = item && trimBody(item)
  if (!record?.length) throw unexpectedAnswer(request, 'an empty body instead of one record', { status })
  const kind = kindOf(record)
  if (kind !== 'object') throw unexpectedAnswer(request, `${describeKind(kind)} instead of one record`, { status })
  const own = idsIn(record)
  if (id === '@current' || own.includes(canonicalId(id))) return record
  if (own.length === 0) throw unexpectedAnswer(request, 'a record without an id', { status })
  throw answeredBy(request, id, status)
}

/** Throws `RejectedError` for another record than `named`; an answer without record fields proves nothing. */
export function refuseOtherRecord(request: Request, { item, status }: Answer, named: NamedRecord | undefined): void {
  if (!item || kindOf(item) !== 'object' || !named) return
  const { resource, isUpdate } = named
  const id = canonicalId(named.id)
  // `@current` and unusual ids cannot be compared.
  if (!isNumericId(id) && !isUuid(id)) return
  const mustBeRecord = isUpdate && status !== 202
  if (!mustBeRecord && !hasShapeOf(resource, item)) return
  const own = idsIn(item).filter(one => isNumericId(one) === isNumericId(id))
  if (own.length > 0 && !own.includes(id)) throw answeredBy(request, named.id, status)
}

function answeredBy(request: Request, id: string, status: number): RejectedError {
  return new RejectedError(`Unexpected response: another record than ${id}, which was asked for`, {
    ...addressOfRequest(request),
    status,
    code: otherRecord,
    hint: 'Check the base URL and what stands between here and the service, such as a cache or a proxy',
  })
}

interface UnexpectedFacts {
  readonly status?: number | undefined
  readonly cause?: unknown
  readonly hint?: string | undefined
}

export function unexpectedAnswer(
  request: Request,
  what: string,
  { status, cause, hint = 'Check the base URL' }: UnexpectedFacts = {},
): RejectedError {
  return new RejectedError(`Unexpected response: ${what}`, {
    ...addressOfRequest(request),
    status,
    code: notTheService,
    hint,
    cause,
  })
}

export function malformedAnswer(request: Request, cause: unknown, status?: number): RejectedError {
  if (!(cause instanceof Malformed)) throw cause
  return unexpectedAnswer(request, cause.reason, { status, cause })
}

/** Leaves out the query, which may hold personal data. */
export function addressOfRequest({ method, url }: Request): { readonly method: string; readonly url: string } {
  return { method, url: shownAddress(url) }
}

function refuseInvalid(item: Item): void {
  if (!isUtf8(item)) throw new Malformed('not UTF-8')
  try {
    JSON.parse(item.toString())
  } catch (cause) {
    throw new Malformed('not JSON', cause)
  }
}

export function trimBody(body: Buffer): Item {
  const isSpace = (byte: number | undefined) => byte === 32 || byte === 10 || byte === 13 || byte === 9
  let start = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0
  let end = body.length
  while (isSpace(body[start])) start++
  while (end > start && isSpace(body[end - 1])) end--
  return body.subarray(start, end)
}
