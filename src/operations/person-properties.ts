import { isPropertyPath, propertyPath } from '../api/property-path.ts'
import { notTheService, RefusedError, RejectedError } from '../errors.ts'
import { codes } from '../jobs/outcome.ts'
import { isObject, type Json, valueAt } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import type { FieldChange } from './operation-row.ts'

/** Undefined if the record has no properties object. */
export function propertiesIn(person: Item): ReadonlyMap<string, Json> | undefined {
  const properties = valueAt(person.value, 'properties')
  if (!isObject(properties)) return undefined
  return new Map(Object.entries(properties).map(([name, value]) => [propertyPath(name), value]))
}

/** Throws `RejectedError` if the service left the properties out, since they may exist. */
export function knownProperties(person: Item): ReadonlyMap<string, Json> {
  const known = propertiesIn(person)
  if (known) return known
  throw new RejectedError('Unexpected response: a person without properties', {
    code: notTheService,
    hint: 'Check the base URL, and what analytics persons get shows',
  })
}

/** Throws `RejectedError` if the record does not contain the old values. */
export function checkOldValues(record: Item, changes: readonly FieldChange[]): void {
  if (changes.some(({ path }) => isPropertyPath(path))) knownProperties(record)
}

/** Servers refuse to delete a property with an empty name, but only after earlier requests have changed the person. */
export function refuseNameless(keys: readonly string[], advice: string): void {
  const nameless = keys.find(key => key.trim() === '')
  if (nameless === undefined) return
  throw new RefusedError(
    `This person has a property named ${JSON.stringify(nameless)}, which cannot be deleted, so nothing is sent; ${advice}`,
    { code: codes.nameless },
  )
}
