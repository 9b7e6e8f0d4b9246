import { kindAt } from '../api/resources.ts'
import { type JsonObject, memberOf } from '../json/exact.ts'
import { yamlField } from '../json/yaml.ts'
import type { Line } from '../messages/messages.ts'
import { maskChange } from '../output/mask.ts'
import { isSame, replacedPart } from '../values/same.ts'
import { type FileSetting, projectFields } from './read.ts'

export interface SettingChange {
  readonly field: string
  readonly from: unknown
  readonly to: unknown
}

/** In the order of the service's document, then undocumented fields. A field that the record does not have is null. */
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

/** Lines with `-` and `+` below the title; unchanged lines before them have two spaces. */
export function drawChanges(
  { title, changes }: { readonly title: string; readonly changes: readonly SettingChange[] },
  reveal = false,
): readonly Line[] {
  return [`${title}:`, ...changes.flatMap(change => changeLines(change, reveal))]
}

const colors = { '-': 31, '+': 32 }

const signed = (sign: keyof typeof colors, texts: readonly string[]): Line[] =>
  texts.map(text => ({ text: `${sign} ${text}`, color: colors[sign] }))

function changeLines(change: SettingChange, reveal: boolean): Line[] {
  const { field } = change
  const shown = reveal ? change : maskChange(change)
  const [before, after] = [yamlLines(field, shown.from), yamlLines(field, shown.to)]
  // Different secrets may look equal when masked.
  const [from, to] = [yamlLines(field, change.from), yamlLines(field, change.to)]
  const isAligned = from.length === before.length && to.length === after.length
  const shorter = isAligned ? Math.min(from.length, to.length) : 0
  let start = 0
  while (start < shorter && from[start] === to[start]) start++
  if (start === before.length && start === after.length) start = 0
  let end = 0
  while (start > 0 && end < shorter - start && from.at(-1 - end) === to.at(-1 - end)) end++
  // The first line names the field.
  const shared = start > 3 ? [...before.slice(0, 1), '…', ...before.slice(start - 2, start)] : before.slice(0, start)
  return [
    ...shared.map(text => `  ${text}`),
    ...signed('-', before.slice(start, before.length - end)),
    ...signed('+', after.slice(start, after.length - end)),
  ]
}

function yamlLines(field: string, value: unknown): string[] {
  return yamlField(field, value).trimEnd().split('\n')
}
