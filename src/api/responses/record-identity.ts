import { RejectedError } from '../../errors.ts'
import { type ExactNumber, isNumber, isObject, isText, type Json } from '../../json/exact.ts'
import { type IdKind, idForms, isId, isUuid } from '../../values/ids.ts'

export function idsIn(record: Json): string[] {
  if (!isObject(record)) return []
  return [record.id, record.uuid].flatMap(value => (isIdValue(value) ? [canonicalId(String(value))] : []))
}

/** Servers accept a UUID in capitals and without dashes, and a number with leading zeros. */
export function canonicalId(id: string): string {
  if (/^[\da-f]{32}$/i.test(id)) return id.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  return isNumericId(id) ? id.replace(/^0+(?=\d)/, '') : id.toLowerCase()
}

function isIdValue(value: Json | undefined): value is string | number | ExactNumber {
  return isText(value) || isNumber(value)
}

function isNumericId(id: string): boolean {
  return /^\d+$/.test(id)
}

/** `@current` cannot be compared; a number and a UUID are not proved to be one record. */
export function whoseRecord(item: Json, named: string): 'named' | 'other' | 'none' | 'unknown' {
  const id = canonicalId(named)
  const own = idsIn(item)
  if (own.includes(id)) return 'named'
  if (!isNumericId(id) && !isUuid(id)) return 'unknown'
  return own.length > 0 ? 'other' : 'none'
}

export function idOf(item: Json, kind: IdKind): string {
  const { id, uuid } = isObject(item) ? item : {}
  const own = kind === 'person_uuids' ? (uuid ?? id) : id
  if (isIdValue(own) && isId(kind, String(own))) return String(own)
  const { of, is } = idForms[kind]
  throw new RejectedError(`Unexpected response: ${of} without an id that is ${is}`, { hint: 'Check the base URL' })
}
