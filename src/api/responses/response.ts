/** A 2xx comes from the service only if its body is empty or the service's JSON. */
import { type Failure, notTheService, RejectedError, UnavailableError } from '../../errors.ts'
import { dryRunResponse } from '../../http/guard.ts'
import { type Request, type Response, shownAddress } from '../../http/message.ts'
import { encode, isObject, type Json, type JsonObject } from '../../json/exact.ts'
import { type Item, isObjectItem, type ObjectItem, readItem } from '../../json/read-item.ts'
import { Malformed } from '../../json/tokens.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { knownEndpointOf, parameterIn } from '../path.ts'
import { readErrorBody } from './error-body.ts'
import { errorPart, isErrorObject, provesWrite, saysError } from './forms.ts'
import { canonicalId, idsIn, whoseRecord } from './record-identity.ts'

/** A parsed response; the response to a write proves that it was done. */
export interface ParsedResponse {
  readonly item: Item | undefined
  readonly status: number
}

/** Throws for an error in response to a read, and for a write whose response does not prove it. */
export function parseResponse(request: Request, response: Response, path: string, secrets: Secrets): ParsedResponse {
  const { status } = response
  const item = itemIn(request, response)
  const isBad =
    request.effect === 'read'
      ? item && isErrorObject(item)
      : response !== dryRunResponse && !isProved(request, item, path)
  if (!isBad) return { item, status }
  if (!item) throw unexpectedResponse(request, 'an empty body', { status })
  if (isObject(item.value) && saysError(item.value)) throw errorResponse(request, item.value, status, secrets)
  const id = parameterIn(path, knownEndpointOf(request.method, path), 'id')
  if (id !== '') refuseOtherRecord(request, item.value, status, id)
  throw unexpectedResponse(request, 'a body that does not report success', { status })
}

function itemIn(request: Request, { status, body }: Response): Item | undefined {
  if (body.length === 0) return undefined
  try {
    return readItem(body)
  } catch (cause) {
    if (!(cause instanceof Malformed)) throw cause
    if (cause.reason === 'empty') return undefined
    const failure = unexpectedResponse(request, cause.reason, { status, cause })
    if (cause.reason !== 'cut short' || request.effect !== 'read') throw failure
    throw new UnavailableError('The response was cut short', { ...failure.details, code: undefined, hint: 'Try again' })
  }
}

/** The good responses to a request that is not documented are unknown: any object or list, but an error. */
function isProved(request: Request, item: Item | undefined, path: string): boolean {
  const endpoint = knownEndpointOf(request.method, path)
  if (endpoint) return provesWrite(item?.value, endpoint, parameterIn(path, endpoint, 'id'))
  return !item || Array.isArray(item.value) || (isObject(item.value) && !saysError(item.value))
}

function errorResponse(request: Request, value: JsonObject<Json>, status: number, secrets: Secrets) {
  const { detail } = readErrorBody(encode(errorPart(value)), secrets)
  const what = `an error with status ${status}${detail === undefined ? '' : `: ${detail}`}`
  return unexpectedResponse(request, what, { status })
}

export function requestedRecord(request: Request, { item, status }: ParsedResponse, id: string): ObjectItem {
  if (!item || !isObjectItem(item)) {
    throw unexpectedResponse(request, item ? 'no object' : 'an empty body', { status })
  }
  const own = idsIn(item.value)
  if (id === '@current' || own.includes(canonicalId(id))) return item
  if (own.length === 0) throw unexpectedResponse(request, 'a record without an id', { status })
  throw otherRecord(request, id, status)
}

export function refuseOtherRecord(request: Request, value: Json, status: number, id: string): void {
  if (whoseRecord(value, id) === 'other') throw otherRecord(request, id, status)
}

function otherRecord(request: Request, id: string, status: number): RejectedError {
  return unexpectedResponse(request, `another record instead of ${id}`, {
    status,
    hint: 'Check the base URL, and any cache or proxy in front of the server',
  })
}

export function unexpectedResponse(
  request: Request,
  what: string,
  { status, cause, hint = 'Check the base URL' }: Pick<Failure['details'], 'status' | 'cause' | 'hint'> = {},
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
