import { decodeObject, encode } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import { elements, kindOf, members, textOf } from '../json/pick.ts'
import { writeMembers } from '../json/write-members.ts'
import { masked } from '../output/mask.ts'
import type { SettingChange } from './compare.ts'
import type { DesiredState } from './read.ts'

/** Shorter texts would match unrelated words. */
const shortestSecret = 8

const mask = '***'

export type Masking = Pick<DesiredState, 'uses' | 'texts'>

/** Longest first, because one may be part of another. Variables read from files often end with a newline. */
function secretTexts({ texts }: Masking): string[] {
  const secrets = texts.map(text => text.trim()).filter(text => text.length >= shortestSecret)
  return secrets.sort((a, b) => b.length - a.length)
}

export function maskChanges(changes: readonly SettingChange[], masking: Masking): SettingChange[] {
  const fromEnvironment = new Set(masking.uses.map(({ field }) => field))
  const secrets = secretTexts(masking)
  const shown = (field: string, value: unknown) => {
    if (fromEnvironment.has(field)) return value === null ? null : mask
    const item = masked(Buffer.from(encode({ [field]: value })))
    const json = secrets.length > 0 ? withoutTexts(item, secrets) : item
    return decodeObject(json)[field]
  }
  return changes.map(({ field, from, to }) => ({ field, from: shown(field, from), to: shown(field, to) }))
}

export function maskVariables(record: Item, masking: Masking): Item {
  const fromEnvironment = new Set(masking.uses.map(({ field }) => field))
  const isMasked = (name: string, value: Item) => fromEnvironment.has(name) && kindOf(value) !== 'null'
  const kept = writeMembers(
    members(record).map(([name, value]) => [name, isMasked(name, value) ? JSON.stringify(mask) : value]),
  )
  return Buffer.from(withoutTexts(Buffer.from(kept), secretTexts(masking)))
}

function withoutTexts(item: Item, secrets: readonly string[]): string {
  const hide = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, mask), text)
  const write = (value: Item): string => {
    const kind = kindOf(value)
    if (kind === 'array') return `[${elements(value).map(write).join()}]`
    if (kind === 'object') return writeMembers(members(value).map(([name, member]) => [hide(name), write(member)]))
    const text = kind === 'string' ? textOf(value) : value.toString()
    const hidden = hide(text)
    return hidden === text ? value.toString() : JSON.stringify(hidden)
  }
  return write(item)
}
