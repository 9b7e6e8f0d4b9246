/** A 2xx comes from the service only if its body is empty or the service's JSON. */
import { isUtf8 } from 'node:buffer'
import { notTheService, RejectedError, unclear } from '../../errors.ts'
import { type Request, shownAddress } from '../../http/message.ts'
import { type Item, Malformed } from '../../json/item.ts'
import { kindOf } from '../../json/pick.ts'
import { slice } from '../../json/slice.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { knownEndpointOf, recordNamedBy } from '../effects.ts'
import { isGoodAnswer } from '../good-answers.ts'
import { errorPart, isErrorObject, isPageObject, saysError } from './error-answer.ts'
import { readErrorBody } from './error-body.ts'
import { canonicalId, idsIn, whoseRecord } from './record-identity.ts'

export function readAnswer(request: Request, status: number, body: Buffer, secrets: Secrets): Item | undefined {
  const item = trimBody(body)
  if (item.length === 0) return undefined
  try {
    slice(item)
    refuseInvalid(item)
  } catch (error) {
    throw malformedAnswer(request, error, status)
  }
  if (request.effect === 'read' && kindOf(item) === 'object' && isErrorObject(item))
    throw errorAnswer(request, { item, status }, secrets)
  return item
}

/** Throws `RejectedError` unless the answer has the form in which the service says that the write was done. */
export function refuseUnproved(request: Request, { item, status }: Answer, path: string, secrets: Secrets): void {
  const endpoint = knownEndpointOf(request.method, path)
  const named = endpoint && recordNamedBy(endpoint, path)
  if (endpoint && isGoodAnswer(item ?? nothing, { endpoint, named })) return
  if (!item) {
    if (endpoint) throw unexpectedAnswer(request, 'an empty body instead of one record', { status })
    return
  }
  const kind = kindOf(item)
  if (kind === 'object' && saysError(item)) throw errorAnswer(request, { item, status }, secrets)
  if (!endpoint && (kind === 'object' || kind === 'array')) return
  if (kind !== 'object') throw unexpectedAnswer(request, `${describeKind(kind)} instead of one record`, { status })
  if (isPageObject(item)) throw unexpectedAnswer(request, 'a page of a list', { status })
  if (request.method === 'DELETE') throw unclearAnswer(request, status)
  if (named) refuseOtherRecord(request, { item, status }, named.id)
  throw unexpectedAnswer(request, 'an object that does not say that it was done', { status })
}

const nothing = Buffer.alloc(0)

function errorAnswer(request: Request, { item, status }: Answer & { readonly item: Item }, secrets: Secrets) {
  const { detail } = readErrorBody(errorPart(item), secrets)
  const what = `an error with status ${status}${detail === undefined ? '' : `: ${detail}`}`
  return unexpectedAnswer(request, what, { status })
}

/** Only a look at the object tells whether it was deleted. */
function unclearAnswer(request: Request, status: number): RejectedError {
  const facts = { ...addressOfRequest(request), status, code: unclear, hint: 'Look whether the object is still there' }
  return new RejectedError('Unexpected response: an object that does not say whether anything was deleted', facts)
}

function describeKind(kind: string): string {
  if (kind === 'null') return kind
  return kind === 'array' ? 'a list' : `a ${kind}`
}

export interface Answer {
  readonly item: Item | undefined
  readonly status: number
  /** An earlier attempt got no answer, and may have been done. */
  readonly unanswered?: boolean | undefined
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

export function refuseOtherRecord(request: Request, { item, status }: Answer & { readonly item: Item }, id: string) {
  if (whoseRecord(item, id) === 'other') throw answeredBy(request, id, status)
}

function answeredBy(request: Request, id: string, status: number): RejectedError {
  return unexpectedAnswer(request, `another record than ${id}, which was asked for`, {
    status,
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
