/** A 2xx comes from the service only if its body is empty or the service's JSON. */
import { type Failure, notTheService, RejectedError, UnavailableError } from '../../errors.ts'
import { dryRunResponse } from '../../http/guard.ts'
import { type Request, type Response, shownAddress } from '../../http/message.ts'
import { encode, isObject, type Json, type JsonObject } from '../../json/exact.ts'
import { type Item, isObjectItem, type ObjectItem, readItem, sliceObject } from '../../json/read-item.ts'
import { Malformed } from '../../json/tokens.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { type Endpoint, knownEndpointOf, newer, parameterIn, plugins } from '../endpoints.ts'
import type { Resource } from '../resources.ts'
import { bulkCountsIn } from './bulk-response.ts'
import { readErrorBody } from './error-body.ts'
import { idsIn, whoseRecord } from './record-identity.ts'

/** The response to a write proves that it was done. */
export type ParsedResponse = ReturnType<typeof parseResponse>

/** Throws for an error in response to a read, and for a write whose response does not prove it. */
export function parseResponse(request: Request, response: Response, path: string, secrets: Secrets) {
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

/** Whether the body of a 2xx reports success. `id`: from the path, or empty. */
function provesWrite(value: Json | undefined, endpoint: Endpoint, id: string): boolean {
  const { method, of: resource } = endpoint
  const isEmpty = value === undefined
  if (endpoint === newer.bulkDelete) return isEmpty || (isRecordObject(value) && bulkCountsIn(value) !== undefined)
  // A request that creates something returns the new record.
  if (method === 'POST' && id === '')
    return isRecordObject(value) && resource !== undefined && hasShapeOf(resource, value)
  if (isEmpty || isSuccess(value)) return true
  if (endpoint === plugins.updateSource && isSource(value)) return true
  return method !== 'DELETE' && isRecordObject(value) && resource !== undefined && isRecord(value, id, resource)
}

/** Exactly `{"success":true}`. */
export function isSuccess(value: Json | undefined): boolean {
  return isObject(value) && Object.keys(value).length === 1 && value.success === true
}

function isRecordObject(value: Json | undefined): value is JsonObject<Json> {
  return isObject(value) && !saysError(value)
}

/** An id such as `@current` cannot be compared, so the fields must show the resource. */
function isRecord(value: Json, id: string, resource: Resource): boolean {
  const whose = whoseRecord(value, id)
  return whose === 'named' || (whose === 'unknown' && hasShapeOf(resource, value))
}

/** Errors and tasks may have these documented fields too. */
const generalFields = ['id', 'uuid', 'name', 'description', 'url', 'created_at']

/** Has an id and a field that only the resource has, or no other members than fields of the resource. */
function hasShapeOf(resource: Resource, item: Json): boolean {
  const names = isObject(item) ? Object.keys(item) : []
  const fields = names.filter(name => Object.hasOwn(resource, name))
  const isRecord = fields.length === names.length || fields.some(name => !generalFields.includes(name))
  return idsIn(item).length > 0 && isRecord
}

export function isSource(value: Json | undefined): boolean {
  if (!isObject(value)) return false
  const files = Object.values(value)
  return (
    Object.keys(value).some(name => name.includes('.')) &&
    files.every(text => text === null || typeof text === 'string')
  )
}

/** Other members are data, which may have a member `detail` beside them. */
const errorMembers: ReadonlySet<string> = new Set([
  ...['attr', 'code', 'detail', 'error', 'errors', 'extra', 'message', 'request_id'],
  ...['status', 'success', 'title', 'type'],
])

function isErrorObject(item: Item): boolean {
  if (!isObjectItem(item)) return false
  return Array.from(sliceObject(item).keys()).every(name => errorMembers.has(name)) && saysError(item.value)
}

export function saysError(value: Json): boolean {
  if (!isObject(value)) return false
  const { error, errors, detail, success } = value
  return success === false || [error, errors, detail].some(hasContent)
}

function hasContent(value: Json | undefined): boolean {
  if (typeof value === 'string') return value.trim() !== ''
  if (Array.isArray(value) || isObject(value)) return Object.keys(value).length > 0
  return value !== undefined && value !== null && value !== false
}

function errorResponse(request: Request, value: JsonObject<Json>, status: number, secrets: Secrets) {
  // Without the data beside it, which may be personal.
  const members = Object.entries(value).filter(([name]) => errorMembers.has(name))
  const { detail } = readErrorBody(encode(Object.fromEntries(members)), secrets)
  const what = `an error with status ${status}${detail === undefined ? '' : `: ${detail}`}`
  return unexpectedResponse(request, what, { status })
}

export function requestedRecord(request: Request, { item, status }: ParsedResponse, id: string): ObjectItem {
  if (!item || !isObjectItem(item)) {
    throw unexpectedResponse(request, item ? 'no object' : 'an empty body', { status })
  }
  if (whoseRecord(item.value, id) === 'none') throw unexpectedResponse(request, 'a record without an id', { status })
  refuseOtherRecord(request, item.value, status, id)
  return item
}

export function refuseOtherRecord(request: Request, value: Json, status: number, id: string): void {
  if (whoseRecord(value, id) !== 'other') return
  throw unexpectedResponse(request, `another record instead of ${id}`, {
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
