import { kindAt } from '../api/resources.ts'
import { type JsonObject, memberOf } from '../json/exact.ts'
import { isSame, replacedPart } from '../values/same.ts'
import { type FileSetting, projectFields } from './read.ts'

export interface SettingChange {
  readonly field: string
  readonly from: unknown
  readonly to: unknown
}

/** In the order of the service's document, then fields that it does not know. What the record does not have is null. */
export function compareSettings(settings: readonly FileSetting[], record: JsonObject): SettingChange[] {
  const order = [...new Set([...projectFields.keys(), ...settings.map(({ field }) => field)])]
  return settings
    .map(({ field, value }) => {
      const old = memberOf(record, field) ?? null
      return { field, from: replacedPart(kindAt(field), value, old), to: value }
    })
    .filter(({ field, from, to }) => !isSame(kindAt(field), from, to))
    .sort((a, b) => order.indexOf(a.field) - order.indexOf(b.field))
}

export function patchBody(changes: readonly SettingChange[]): JsonObject {
  return Object.fromEntries(changes.map(({ field, to }) => [field, to]))
}
