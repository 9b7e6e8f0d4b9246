import { replacedBy, sameSetting } from '../api/answers/compare.ts'
import { type JsonObject, memberOf } from '../json/exact.ts'
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
    .map(({ field, value }) => ({ field, from: memberOf(record, field) ?? null, to: value }))
    .filter(({ field, from, to }) => !sameSetting(field, to, from))
    .map(({ field, from, to }) => ({ field, from: replacedBy(field, to, from), to }))
    .sort((a, b) => order.indexOf(a.field) - order.indexOf(b.field))
}

export function patchBody(changes: readonly SettingChange[]): JsonObject {
  return Object.fromEntries(changes.map(({ field, to }) => [field, to]))
}
