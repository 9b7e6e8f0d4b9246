import { sameSetting } from '../api/answers/verify-applied.ts'
import type { JsonObject } from '../json/exact.ts'
import { fields } from './fields.ts'

/** `from` is null if the service does not have the field. */
export interface SettingChange {
  readonly field: string
  readonly from: unknown
  readonly to: unknown
}

/** In the order of the service's document. */
export function compareSettings(values: ReadonlyMap<string, unknown>, record: JsonObject): SettingChange[] {
  return [...fields.keys()].flatMap(field => {
    const from = fieldOf(record, field)
    const to = values.get(field)
    return !values.has(field) || sameSetting(field, from, to) ? [] : [{ field, from, to }]
  })
}

export function valuesOf(record: JsonObject, names: Iterable<string> = fields.keys()): ReadonlyMap<string, unknown> {
  return new Map([...names].map(field => [field, fieldOf(record, field)]))
}

export function patchBody(changes: readonly SettingChange[]): JsonObject {
  return Object.fromEntries(changes.map(({ field, to }) => [field, to]))
}

function fieldOf(record: JsonObject, field: string): unknown {
  return Object.hasOwn(record, field) ? record[field] : null
}
