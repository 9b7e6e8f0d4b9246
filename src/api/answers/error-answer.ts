/** Recognises errors in JSON that come with a 2xx, by the members that servers and gateways give to errors. */
import { isObject, type Json, type JsonObject } from '../../json/exact.ts'

/** Other members are data, which may have a member `detail` beside them. */
const errorMembers: ReadonlySet<string> = new Set([
  ...['attr', 'code', 'detail', 'error', 'errors', 'extra', 'message', 'request_id'],
  ...['status', 'success', 'title', 'type'],
])

/** In the answer of a read, an object that has nothing but members of errors. */
export function isErrorObject(value: Json): boolean {
  return saysError(value) && Object.keys(value).every(name => errorMembers.has(name))
}

/** Without the data beside it, which may be personal. */
export function errorPart(value: JsonObject<Json>): JsonObject<Json> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => errorMembers.has(name)))
}

/** True for a given `error`, `errors` or `detail`, and for `"success":false`. */
export function saysError(value: Json): value is JsonObject<Json> {
  return isObject(value) && (namesError(value) || isGiven(value.detail))
}

/** A page that has rows may contain a remark in `detail`. */
export function isErrorPage(page: JsonObject<Json>, rows: number): boolean {
  return namesError(page) || (isGiven(page.detail) && (rows === 0 || page.next === undefined))
}

function namesError({ error, errors, success }: JsonObject<Json>): boolean {
  return isGiven(error) || isGiven(errors) || success === false
}

function isGiven(value: Json | undefined): boolean {
  if (typeof value === 'string') return value.trim() !== ''
  if (Array.isArray(value) || isObject(value)) return Object.keys(value).length > 0
  return value !== undefined && value !== null && value !== false
}
