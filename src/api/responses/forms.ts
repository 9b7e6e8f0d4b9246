/** Recognizes the forms of responses: a page of a list, an error instead of data, and the proof of a write. */
import { isObject, type Json, type JsonObject } from '../../json/exact.ts'
import { type Item, isObjectItem, sliceArray, sliceObject } from '../../json/read-item.ts'
import { type Endpoint, newer, plugins } from '../endpoints.ts'
import type { Resource } from '../resources.ts'
import { bulkCountsIn } from './bulk-response.ts'
import { hasShapeOf, whoseRecord } from './record-identity.ts'

export interface Page {
  readonly rows: readonly Item[]
  readonly isBareArray: boolean
  readonly envelope: JsonObject<Json>
}

/** A bare list, or the one in `results` (`result` of the retention view). */
export function pageIn(item: Item): Page | undefined {
  if (item.kind === 'list') return { rows: sliceArray(item), isBareArray: true, envelope: {} }
  const members = sliceObject(item)
  const list = [members.get('results'), members.get('result')].find(one => one?.kind === 'list')
  if (!list) return undefined
  const others = Array.from(members).filter(([, one]) => one !== list)
  const envelope = Object.fromEntries(others.map(([name, { value }]) => [name, value]))
  return { rows: sliceArray(list), isBareArray: false, envelope }
}

/** Other members are data, which may have a member `detail` beside them. */
const errorMembers: ReadonlySet<string> = new Set([
  ...['attr', 'code', 'detail', 'error', 'errors', 'extra', 'message', 'request_id'],
  ...['status', 'success', 'title', 'type'],
])

export function isErrorObject(item: Item): boolean {
  if (!isObjectItem(item)) return false
  return Array.from(sliceObject(item).keys()).every(name => errorMembers.has(name)) && saysError(item.value)
}

/** Without the data beside it, which may be personal. */
export function errorPart(value: JsonObject<Json>): JsonObject<Json> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => errorMembers.has(name)))
}

export function saysError(value: Json): boolean {
  return isObject(value) && (namesError(value) || hasContent(value.detail))
}

/** A page that has rows may contain a remark in `detail`. */
export function isErrorPage({ envelope, rows }: Page): boolean {
  return namesError(envelope) || (hasContent(envelope.detail) && (rows.length === 0 || envelope.next === undefined))
}

function namesError({ error, errors, success }: JsonObject<Json>): boolean {
  return hasContent(error) || hasContent(errors) || success === false
}

function hasContent(value: Json | undefined): boolean {
  if (typeof value === 'string') return value.trim() !== ''
  if (Array.isArray(value) || isObject(value)) return Object.keys(value).length > 0
  return value !== undefined && value !== null && value !== false
}

/** Whether the body of a 2xx reports success. `id`: from the path, or empty. */
export function provesWrite(value: Json | undefined, endpoint: Endpoint, id: string): boolean {
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

export function isSource(value: Json | undefined): boolean {
  if (!isObject(value)) return false
  const files = Object.values(value)
  return (
    Object.keys(value).some(name => name.includes('.')) &&
    files.every(text => text === null || typeof text === 'string')
  )
}
