/** Judges successful answers. A 2xx is the service's only when its body is empty or the service's JSON. */
import { isUtf8 } from 'node:buffer'
import { notTheService, RejectedError } from '../errors.ts'
import type { Request } from '../http/message.ts'
import { type Item, Malformed } from '../json/item.ts'
import { compile, kindOf, members, textOf } from '../json/pick.ts'
import { slice } from '../json/slice.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { readErrorBody } from './error-body.ts'
import { eventDefinition, person, plugin, project, type Resource } from './resources.ts'

export const otherRecord = 'other-record'

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
  // What is only accepted may be answered with anything.
  if (request.method === 'PATCH' && request.isDocumented && status !== 202 && kind !== 'object') {
    throw unexpectedAnswer(request, `${kind} in place of a record`, { status })
  }
  return item
}

export interface Answer {
  readonly item: Item | undefined
  readonly status: number
}

/** Throws `RejectedError` for any answer but the record with this id. */
export function recordIn(request: Request, { item, status }: Answer, id: string): Item {
  const record = item && trimBody(item)
  if (!record?.length) throw unexpectedAnswer(request, 'an empty body in place of a record', { status })
  const kind = kindOf(record)
  if (kind !== 'object') throw unexpectedAnswer(request, `${kind} in place of a record`, { status })
  const own = idsIn(record)
  if (id === '@current' || own.includes(id.toLowerCase())) return record
  if (own.length === 0) throw unexpectedAnswer(request, 'a record without an id', { status })
  throw answeredBy(request, id, status)
}

/** The failure of an answer that is another record. A task, `{"success":true}` or a map of files proves nothing. */
export function otherRecordFailure(
  request: Request,
  { item: body, status }: Answer,
  id: string,
  resource: Resource,
): RejectedError | undefined {
  const item = body && trimBody(body)
  if (!item || kindOf(item) !== 'object' || id === '@current' || request.method === 'DELETE') return undefined
  // A PATCH of the record itself is answered with the record, unless it is only accepted.
  const isUpdate = request.method === 'PATCH' && request.url.pathname.endsWith(`/${id}/`) && status !== 202
  if (!isUpdate && !hasShapeOf(resource, item)) return undefined
  const own = idsIn(item).filter(one => isNumber(one) === isNumber(id))
  return own.length === 0 || own.includes(id.toLowerCase()) ? undefined : answeredBy(request, id, status)
}

/** False for what has no field of its own beside its ids: a task may have the id of the record. */
export function isSameRecord(item: Item, record: Item, resource: Resource): boolean {
  const ids = idsIn(record)
  return hasShapeOf(resource, item) && idsIn(item).every(id => ids.includes(id))
}

function answeredBy(request: Request, id: string, status: number): RejectedError {
  return new RejectedError(`Unexpected response: another record than ${id}, which was asked for`, {
    ...addressOfRequest(request),
    status,
    code: otherRecord,
    hint: 'Check the base URL and what stands between here and the service, such as a cache or a proxy',
  })
}

export function unexpectedAnswer(
  request: Request,
  what: string,
  { status, cause }: { readonly status?: number | undefined; readonly cause?: unknown } = {},
): RejectedError {
  return new RejectedError(`Unexpected response: ${what}`, {
    ...addressOfRequest(request),
    status,
    code: notTheService,
    hint: 'Check the base URL',
    cause,
  })
}

export function malformedAnswer(request: Request, cause: unknown, status?: number): RejectedError {
  if (!(cause instanceof Malformed)) throw cause
  return unexpectedAnswer(request, cause.reason, { status, cause })
}

/** Without the query, which may hold personal data. */
export function addressOfRequest({ method, url }: Request): { readonly method: string; readonly url: string } {
  return { method, url: url.origin + url.pathname }
}

const identity = compile(['id', 'uuid'])

/** In lower case. */
function idsIn(record: Item): string[] {
  return identity.pick(record).flatMap(value => (value && isId(value) ? [textOf(value).toLowerCase()] : []))
}

function isId(value: Item): boolean {
  return kindOf(value) === 'number' || kindOf(value) === 'string'
}

function isNumber(id: string): boolean {
  return /^\d+$/.test(id)
}

const faults = ['error', 'errors', 'errorMessage', 'error_message', 'errorType', 'error_type']

const errorMembers: ReadonlySet<string> = new Set([
  ...faults,
  ...['attr', 'code', 'detail', 'extra', 'message'],
  ...['request_id', 'status', 'status_code', 'success', 'title', 'type'],
])

const longestErrorObject = 256 * 1024

/** A DELETE and a documented write are answered with nothing or a record, so one that names an error is an error. */
function isErrorObject({ effect, isDocumented }: Request, item: Item): boolean {
  if (item.length > longestErrorObject) return false
  const found = new Map(members(item))
  const names = [...found.keys()]
  const isWrite = effect === 'set' || (effect === 'act' && isDocumented)
  const mayBe = isWrite ? !isRecord(item, names) : names.every(name => errorMembers.has(name))
  return mayBe && (namesError(found) || hasDetail(found))
}

/** Whether a page with these members and so many rows is an error. A page of rows may say something in `detail`. */
export function isErrorPage(found: ReadonlyMap<string, Item>, rows: number): boolean {
  return namesError(found) || (hasDetail(found) && (rows === 0 || !found.has('next')))
}

function namesError(found: ReadonlyMap<string, Item>): boolean {
  return (
    faults.some(name => isGiven(found.get(name))) ||
    ['status', 'status_code'].some(name => failedStatus.test(found.get(name)?.toString() ?? '')) ||
    found.get('success')?.toString() === 'false'
  )
}

function hasDetail(found: ReadonlyMap<string, Item>): boolean {
  const detail = found.get('detail')
  return detail !== undefined && kindOf(detail) === 'string' && isGiven(detail)
}

/** False for null, false, 0, a blank text, and what has no members. */
function isGiven(value: Item | undefined): boolean {
  return value !== undefined && !/^(null|false|0|"\s*"|\[\s*\]|\{\s*\})$/.test(value.toString())
}

/** A record may have a member `error`, and an error an id. */
function isRecord(item: Item, names: readonly string[]): boolean {
  return idsIn(item).length > 0 && names.some(name => recordFields.has(name))
}

/** A task may have an id, a uuid and a name too. */
function hasShapeOf(resource: Resource, item: Item): boolean {
  const names = new Set(members(item).map(([name]) => name))
  return idsIn(item).length > 0 && ownFields(resource).some(name => names.has(name))
}

/** The documented fields without those that errors and tasks have too. */
const ownFields = ({ fields }: Resource) =>
  Object.keys(fields).filter(name => !['id', 'uuid', 'name', 'description', 'url', 'created_at'].includes(name))

const recordFields: ReadonlySet<string> = new Set([person, plugin, eventDefinition, project].flatMap(ownFields))

/** As gateways write it, in words or as a number. */
const failedStatus = /^"?(error|fail(ed|ure)?|[45]\d\d)"?$/i

function refuseInvalid(item: Item): void {
  if (!isUtf8(item)) throw new Malformed('not UTF-8')
  try {
    JSON.parse(item.toString())
  } catch (cause) {
    throw new Malformed('not JSON', cause)
  }
}

/** Without a byte order mark and outer blanks. */
export function trimBody(body: Buffer): Item {
  const isSpace = (byte: number | undefined) => byte === 32 || byte === 10 || byte === 13 || byte === 9
  let start = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0
  let end = body.length
  while (isSpace(body[start])) start++
  while (end > start && isSpace(body[end - 1])) end--
  return body.subarray(start, end)
}
