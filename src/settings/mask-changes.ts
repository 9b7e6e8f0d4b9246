import { decode, encode } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import { elements, kindOf, members, textOf } from '../json/pick.ts'
import { masked } from '../output/mask.ts'
import type { SettingChange } from './compare.ts'
import type { VariableUse } from './entries.ts'

/** A shorter text would match unrelated words. */
const shortestSecret = 8

const mask = '***'

/** Longest first, because one may be a part of another. */
function secretTexts(uses: readonly VariableUse[]): string[] {
  const texts = [...new Set(uses.map(({ text }) => text))].filter(text => text.length >= shortestSecret)
  return texts.sort((a, b) => b.length - a.length)
}

export function maskChanges(changes: readonly SettingChange[], uses: readonly VariableUse[]): SettingChange[] {
  const fromEnvironment = new Set(uses.map(({ field }) => field))
  const secrets = secretTexts(uses)
  const shown = (field: string, value: unknown) => {
    if (fromEnvironment.has(field)) return value === null ? null : mask
    const item = masked(Buffer.from(encode({ [field]: value })))
    const json = secrets.length > 0 ? withoutTexts(item, secrets) : item
    return (decode(json) as Record<string, unknown>)[field]
  }
  return changes.map(({ field, from, to }) => ({ field, from: shown(field, from), to: shown(field, to) }))
}

export function maskVariables(record: Item, uses: readonly VariableUse[]): Item {
  const fromEnvironment = new Set(uses.map(({ field }) => field))
  const kept = members(record).map(([name, value]): string => {
    const isMasked = fromEnvironment.has(name) && kindOf(value) !== 'null'
    return `${JSON.stringify(name)}:${isMasked ? JSON.stringify(mask) : value}`
  })
  return Buffer.from(withoutTexts(Buffer.from(`{${kept.join()}}`), secretTexts(uses)))
}

function withoutTexts(item: Item, secrets: readonly string[]): string {
  const hide = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, mask), text)
  const write = (value: Item): string => {
    const kind = kindOf(value)
    if (kind === 'array') return `[${elements(value).map(write).join()}]`
    if (kind === 'object') {
      return `{${members(value)
        .map(([name, member]) => `${JSON.stringify(hide(name))}:${write(member)}`)
        .join()}}`
    }
    const text = kind === 'string' ? textOf(value) : value.toString()
    const hidden = hide(text)
    return hidden === text ? value.toString() : JSON.stringify(hidden)
  }
  return write(item)
}
