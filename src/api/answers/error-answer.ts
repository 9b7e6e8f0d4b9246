/** Recognises errors in JSON that come with a 2xx, by the members that servers and gateways give to errors. */
import type { Item } from '../../json/item.ts'
import { kindOf, members } from '../../json/pick.ts'
import { writeMembers } from '../../json/write-members.ts'

const longestErrorObject = 256 * 1024

/** Other members are data, which may have a member `detail` beside them. */
const errorMembers: ReadonlySet<string> = new Set([
  ...['attr', 'code', 'detail', 'error', 'errors', 'extra', 'message', 'request_id'],
  ...['status', 'success', 'title', 'type'],
])

/** In the answer of a read, an object that has nothing but members of errors. */
export function isErrorObject(item: Item): boolean {
  if (item.length > longestErrorObject) return false
  return saysError(item) && members(item).every(([name]) => errorMembers.has(name))
}

/** Without the data beside it, which may be personal. */
export function errorPart(item: Item): string {
  return writeMembers(members(item).filter(([name]) => errorMembers.has(name)))
}

/** True for a given `error`, `errors` or `detail`, and for `"success":false`. */
export function saysError(item: Item): boolean {
  const found = new Map(members(item))
  return namesError(found) || isGiven(found.get('detail'))
}

/** A page that has rows may contain a remark in `detail`. */
export function isErrorPage(page: ReadonlyMap<string, Item>, rows: number): boolean {
  return namesError(page) || (isGiven(page.get('detail')) && (rows === 0 || !page.has('next')))
}

function namesError(found: ReadonlyMap<string, Item>): boolean {
  return isGiven(found.get('error')) || isGiven(found.get('errors')) || found.get('success')?.toString() === 'false'
}

function isGiven(value: Item | undefined): boolean {
  return value !== undefined && !/^(null|false|"\s*"|\[\s*\]|\{\s*\})$/.test(value.toString())
}

export function isPageObject(item: Item): boolean {
  return members(item).some(([name, value]) => name === 'results' && kindOf(value) === 'array')
}
