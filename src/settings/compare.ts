import { sameSetting } from '../api/answers/verify-applied.ts'
import type { JsonObject } from '../json/exact.ts'
import { fields } from './fields.ts'

export interface SettingChange {
  readonly field: string
  readonly from: unknown
  readonly to: unknown
}

/** In the order of the service's document, then fields that it does not know. What the record does not have is left out. */
export function compareSettings(values: ReadonlyMap<string, unknown>, record: JsonObject): SettingChange[] {
  const names = new Set([...fields.keys(), ...values.keys()])
  return [...names].flatMap(field => {
    if (!values.has(field) || !Object.hasOwn(record, field)) return []
    const [from, to] = [record[field], values.get(field)]
    return sameSetting(field, to, from) ? [] : [{ field, from, to }]
  })
}

/** Those of the fields that the record has. */
export function valuesOf(record: JsonObject, names: Iterable<string> = fields.keys()): ReadonlyMap<string, unknown> {
  return new Map([...names].flatMap(field => (Object.hasOwn(record, field) ? [[field, record[field]]] : [])))
}

export function patchBody(changes: readonly SettingChange[]): JsonObject {
  return Object.fromEntries(changes.map(({ field, to }) => [field, to]))
}
