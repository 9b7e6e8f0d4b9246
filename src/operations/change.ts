/** What a write changes in a record, in one form for preview, backup, comparison and undo. */
import { kindAt } from '../api/resources.ts'
import { notTheService, RejectedError } from '../errors.ts'
import { isObject, type JsonObject } from '../json/exact.ts'
import { isPropertyPath, nameOfField, nameOfProperty, propertyPath } from '../json/property-path.ts'
import { isApplied } from '../values/same.ts'

/** The fields to set; for a person `properties`, and in `$unset` the names of properties to remove. */
export type Change = JsonObject

export interface Part {
  readonly path: string
  readonly value: unknown
}

export function changedParts({ properties, $unset, ...fields }: Change): readonly Part[] {
  const partsIn = (object: JsonObject, pathOf = (name: string) => name) =>
    Object.entries(object).map(([name, value]) => ({ path: pathOf(name), value }))
  const removed = Array.isArray($unset)
    ? $unset.map(name => ({ path: propertyPath(String(name)), value: undefined }))
    : []
  const whole = properties === undefined ? {} : { properties }
  return [
    ...partsIn(fields),
    ...(isObject(properties) ? partsIn(properties, propertyPath) : partsIn(whole)),
    ...removed,
  ]
}

export function changesIn(writes: readonly { readonly change: Change }[]): readonly Part[] {
  return writes.flatMap(({ change }) => changedParts(change))
}

export function changeOf(parts: readonly Part[]): Change {
  const [own, fields] = [
    parts.filter(({ path }) => isPropertyPath(path)),
    parts.filter(one => !isPropertyPath(one.path)),
  ]
  const set = own.filter(({ value }) => value !== undefined)
  const unset = own.filter(({ value }) => value === undefined)
  return {
    ...Object.fromEntries(fields.map(({ path, value = null }) => [path, value])),
    ...(set.length > 0 && { properties: Object.fromEntries(set.map(one => [nameOfProperty(one.path), one.value])) }),
    ...(unset.length > 0 && { $unset: unset.map(({ path }) => nameOfProperty(path)) }),
  }
}

export function partValue(record: JsonObject, path: string): unknown {
  if (!isPropertyPath(path)) return Object.hasOwn(record, path) ? record[path] : undefined
  const { properties } = record
  const name = nameOfProperty(path)
  return isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
}

/** Throws `RejectedError` where the service left the properties out, since they may exist. */
export function refuseHidden({ properties }: JsonObject, parts: readonly Part[]): void {
  if (isObject(properties) || !parts.some(({ path }) => isPropertyPath(path))) return
  throw new RejectedError('Unexpected response: a person without properties', {
    code: notTheService,
    hint: 'Check the base URL and the output of analytics persons get',
  })
}

/**
 * Names what the record does not hold after the change, if it held `before`. Undefined where the record cannot show it: a
 * person without properties.
 */
export function findUnapplied(change: Change, record: JsonObject, before?: JsonObject): readonly string[] | undefined {
  const parts = changedParts(change)
  if (!isObject(record.properties) && parts.some(({ path }) => isPropertyPath(path))) return undefined
  return parts
    .filter(({ path, value }) => {
      const old = before && partValue(before, path)
      return !isApplied(kindAt(path), value, partValue(record, path), old)
    })
    .map(({ path }) => nameOfField(path))
}
