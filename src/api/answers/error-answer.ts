/** Tells an error in JSON from a record or a page, where the status is a 2xx. */
import type { Request } from '../../http/message.ts'
import type { Item } from '../../json/item.ts'
import { kindOf, members } from '../../json/pick.ts'
import { isRecord } from './record-identity.ts'

const faults = ['error', 'errors', 'errorMessage', 'error_message', 'errorType', 'error_type']

const errorMembers: ReadonlySet<string> = new Set([
  ...faults,
  ...['attr', 'code', 'detail', 'extra', 'message'],
  ...['request_id', 'status', 'status_code', 'success', 'title', 'type'],
])

const longestErrorObject = 256 * 1024

/** A DELETE and a documented write are answered with nothing or a record, so one that names an error is an error. */
export function isErrorObject({ effect, isDocumented }: Request, item: Item): boolean {
  if (item.length > longestErrorObject) return false
  const found = new Map(members(item))
  const names = [...found.keys()]
  const isWrite = effect === 'set' || (effect === 'act' && isDocumented === true)
  const mayBe = isWrite ? !isRecord(item, names) : names.every(name => errorMembers.has(name))
  return mayBe && (namesError(found) || hasDetail(found) || (isWrite && deniesWrite(found)))
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

/** Of a read these may be facts about what is shown. */
function deniesWrite(found: ReadonlyMap<string, Item>): boolean {
  return ['ok', 'deleted'].some(name => found.get(name)?.toString() === 'false')
}

function hasDetail(found: ReadonlyMap<string, Item>): boolean {
  const detail = found.get('detail')
  return detail !== undefined && kindOf(detail) === 'string' && isGiven(detail)
}

/** False for null, false, 0, a blank text, and what has no members. */
function isGiven(value: Item | undefined): boolean {
  return value !== undefined && !/^(null|false|0|"\s*"|\[\s*\]|\{\s*\})$/.test(value.toString())
}

/** As gateways write it, in words or as a number. */
const failedStatus = /^"?(error|fail(ed|ure)?|[45]\d\d)"?$/i
