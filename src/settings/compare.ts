import { sameSetting } from '../api/answers/compare.ts'
import type { JsonObject } from '../json/exact.ts'
import { masked, newSecret, oldSecret } from '../output/mask.ts'
import { type FileSetting, fields } from './read.ts'

export interface SettingChange {
  readonly field: string
  readonly from: unknown
  readonly to: unknown
}

/** In the order of the service's document, then fields that it does not know. What the record does not have is null. */
export function compareSettings(settings: readonly FileSetting[], record: JsonObject): SettingChange[] {
  const order = [...new Set([...fields.keys(), ...settings.map(({ field }) => field)])]
  return settings
    .map(({ field, value }) => ({ field, from: memberOf(record, field), to: value }))
    .filter(({ field, from, to }) => !sameSetting(field, to, from))
    .sort((a, b) => order.indexOf(a.field) - order.indexOf(b.field))
}

function memberOf(record: JsonObject, field: string): unknown {
  return Object.hasOwn(record, field) ? record[field] : null
}

export function patchBody(changes: readonly SettingChange[]): JsonObject {
  return Object.fromEntries(changes.map(({ field, to }) => [field, to]))
}

/** Each secret reads `(secret)`, but `(another secret)` where it was another one before. */
export function maskChange({ field, from, to }: SettingChange): SettingChange {
  const old = new Set<string>()
  const shown = (value: unknown, hide: (secret: string) => string) => {
    const { [field]: result } = masked({ [field]: value }, hide)
    return result
  }
  const before = shown(from, secret => {
    old.add(secret)
    return oldSecret
  })
  return { field, from: before, to: shown(to, secret => (old.size > 0 && !old.has(secret) ? newSecret : oldSecret)) }
}
