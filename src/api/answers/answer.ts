/** A 2xx comes from the service only if its body is empty or the service's JSON. */
import { type Failure, notTheService, RejectedError, UnavailableError } from '../../errors.ts'
import { type Request, shownAddress } from '../../http/message.ts'
import { encode, isObject, type Json } from '../../json/exact.ts'
import { type Item, isObjectItem, type ObjectItem, readItem } from '../../json/read-item.ts'
import { Malformed } from '../../json/tokens.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { knownEndpointOf, recordNamedBy } from '../path.ts'
import { readErrorBody } from './error-body.ts'
import { errorPart, isErrorObject, isGoodAnswer, saysError } from './forms.ts'
import { canonicalId, idsIn, whoseRecord } from './record-identity.ts'

/** A response that was read; of a write it proves that it was done. */
export interface Answer {
  /** Undefined if the body is empty. */
  readonly item: Item | undefined
  readonly status: number
}

export function readAnswer(request: Request, status: number, body: Buffer, secrets: Secrets): Item | undefined {
  const item = itemIn(request, status, body)
  if (item && request.effect === 'read' && isErrorObject(item)) throw errorAnswer(request, { item, status }, secrets)
  return item
}

function itemIn(request: Request, status: number, body: Buffer): Item | undefined {
  if (body.length === 0) return undefined
  try {
    return readItem(body)
  } catch (cause) {
    if (!(cause instanceof Malformed)) throw cause
    if (cause.reason === 'empty') return undefined
    const failure = unexpectedAnswer(request, cause.reason, { status, cause })
    // What a write is answered with must prove it; a read may be sent again.
    if (cause.reason !== 'cut short' || request.effect !== 'read') throw failure
    throw new UnavailableError('The response was cut short', { ...failure.facts, code: undefined, hint: 'Try again' })
  }
}

/** Throws `RejectedError` unless the answer has the form in which the service says that the write was done. */
export function refuseUnproved(request: Request, { item, status }: Answer, path: string, secrets: Secrets): void {
  const endpoint = knownEndpointOf(request.method, path)
  const named = item && endpoint && recordNamedBy(endpoint, path)
  if (endpoint ? isGoodAnswer(item?.value, { endpoint, named }) : mayBeGood(item)) return
  if (!item || !isObjectItem(item)) throw noRecord(request, item, status)
  const { value } = item
  if (saysError(value)) throw errorAnswer(request, { item, status }, secrets)
  if (Array.isArray(value.results)) throw unexpectedAnswer(request, 'a page of a list', { status })
  if (named) refuseOtherRecord(request, value, status, named.id)
  throw unexpectedAnswer(request, 'an object that does not report success', { status })
}

/** For a request that is not documented, whose good responses are unknown. */
function mayBeGood(item: Item | undefined): boolean {
  return !item || Array.isArray(item.value) || (isObject(item.value) && !saysError(item.value))
}

function errorAnswer(request: Request, { item, status }: Answer & { readonly item: Item }, secrets: Secrets) {
  const body = isObject(item.value) ? encode(errorPart(item.value)) : ''
  const { detail } = readErrorBody(body, secrets)
  const what = `an error with status ${status}${detail === undefined ? '' : `: ${detail}`}`
  return unexpectedAnswer(request, what, { status })
}

function noRecord(request: Request, item: Item | undefined, status: number): RejectedError {
  const several = Array.isArray(item?.value) ? 'a list' : 'a single value'
  const what = !item ? 'an empty body' : item.value === null ? 'null' : several
  return unexpectedAnswer(request, `${what} instead of one record`, { status })
}

export function recordIn(request: Request, { item, status }: Answer, id: string): ObjectItem {
  if (!item || !isObjectItem(item)) throw noRecord(request, item, status)
  const own = idsIn(item.value)
  if (id === '@current' || own.includes(canonicalId(id))) return item
  if (own.length === 0) throw unexpectedAnswer(request, 'a record without an id', { status })
  throw answeredBy(request, id, status)
}

export function refuseOtherRecord(request: Request, value: Json, status: number, id: string): void {
  if (whoseRecord(value, id) === 'other') throw answeredBy(request, id, status)
}

function answeredBy(request: Request, id: string, status: number): RejectedError {
  return unexpectedAnswer(request, `another record instead of ${id}`, {
    status,
    hint: 'Check the base URL, and any cache or proxy in front of the server',
  })
}

export function unexpectedAnswer(
  request: Request,
  what: string,
  { status, cause, hint = 'Check the base URL' }: Pick<Failure['facts'], 'status' | 'cause' | 'hint'> = {},
): RejectedError {
  return new RejectedError(`Unexpected response: ${what}`, {
    method: request.method,
    url: shownAddress(request.url),
    status,
    code: notTheService,
    hint,
    cause,
  })
}
