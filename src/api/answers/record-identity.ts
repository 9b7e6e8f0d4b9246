import { RejectedError } from '../../errors.ts'
import type { Item } from '../../json/item.ts'
import { compile, kindOf, members, textOf } from '../../json/pick.ts'
import { formOf, type IdKind, isId, isUuid } from '../../values/ids.ts'
import type { Resource } from '../resources.ts'

const identity = compile(['id', 'uuid'])

export function idsIn(record: Item): string[] {
  return identity.pick(record).flatMap(value => (value && isScalar(value) ? [canonicalId(textOf(value))] : []))
}

/** Servers accept a UUID in capitals and without dashes, and a number with leading zeros. */
export function canonicalId(id: string): string {
  const digits = id.toLowerCase().replaceAll('-', '')
  if (/^[\da-f]{32}$/.test(digits)) return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  return isNumericId(id) ? id.replace(/^0+(?=\d)/, '') : id.toLowerCase()
}

function isScalar(value: Item): boolean {
  return kindOf(value) === 'number' || kindOf(value) === 'string'
}

function isNumericId(id: string): boolean {
  return /^\d+$/.test(id)
}

/** False without a record field beside the ids: a task may have the record's id. */
export function isSameRecord(item: Item, record: Item, resource: Resource): boolean {
  const ids = idsIn(record)
  return hasShapeOf(resource, item) && idsIn(item).every(id => ids.includes(id))
}

/** `@current` cannot be compared; a number and a UUID are not proved to be one record. */
export function whoseRecord(item: Item, named: string): 'named' | 'other' | 'nobody' | 'unknown' {
  const id = canonicalId(named)
  const own = idsIn(item).filter(isComparable)
  if (own.includes(id)) return 'named'
  if (!isComparable(id)) return 'unknown'
  return own.length > 0 ? 'other' : 'nobody'
}

function isComparable(id: string): boolean {
  return isNumericId(id) || isUuid(id)
}

/** A task may have an id, a uuid and a name too, but beside these it has members that are no fields of the resource. */
export function hasShapeOf(resource: Resource, item: Item): boolean {
  const names = members(item).map(([name]) => name)
  const own = ownFields(resource)
  const isRecord = names.some(name => own.includes(name)) || names.every(name => Object.hasOwn(resource.fields, name))
  return idsIn(item).length > 0 && isRecord
}

/** Documented fields that errors and tasks do not have. */
const ownFields = ({ fields }: Resource) =>
  Object.keys(fields).filter(name => !['id', 'uuid', 'name', 'description', 'url', 'created_at'].includes(name))

/** Throws `RejectedError` if the id does not have the form of its kind. */
export function idOf(item: Item, kind: IdKind): string {
  const [id, uuid] = identity.pick(item)
  return checkAnsweredId(kind === 'person_uuids' ? (uuid ?? id) : id, kind)
}

export function checkAnsweredId(id: Item | undefined, kind: IdKind): string {
  if (id && isScalar(id) && isId(kind, textOf(id))) return textOf(id)
  const { of, is } = formOf(kind)
  throw new RejectedError(`Unexpected response: ${of} without an id that is ${is}`, { hint: 'Check the base URL' })
}
