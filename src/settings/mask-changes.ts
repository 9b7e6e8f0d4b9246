import { decode, decodeObject, encode } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import { elements, kindOf, members, textOf } from '../json/pick.ts'
import { writeMembers } from '../json/write-members.ts'
import { masked } from '../output/mask.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { SettingChange } from './compare.ts'

const mask = '***'

interface Masking extends Pick<Secrets, 'hide'> {
  readonly fromVariables: ReadonlySet<string>
}

export function maskChanges(changes: readonly SettingChange[], masking: Masking): SettingChange[] {
  const shown = (field: string, value: unknown) => {
    const hidden = decode(maskField(field, Buffer.from(encode(value)), masking))
    return decodeObject(masked(Buffer.from(encode({ [field]: hidden }))))[field]
  }
  return changes.map(({ field, from, to }) => ({ field, from: shown(field, from), to: shown(field, to) }))
}

export function maskVariables(record: Item, masking: Masking): Item {
  return Buffer.from(writeMembers(members(record).map(([name, value]) => [name, maskField(name, value, masking)])))
}

function maskField(field: string, value: Item, { fromVariables, hide }: Masking): string {
  const isMasked = fromVariables.has(field) && kindOf(value) !== 'null'
  return isMasked ? JSON.stringify(mask) : withoutSecrets(value, hide)
}

/** Searches texts before they are escaped. */
function withoutSecrets(item: Item, hide: Secrets['hide']): string {
  const kind = kindOf(item)
  if (kind === 'array')
    return `[${elements(item)
      .map(element => withoutSecrets(element, hide))
      .join()}]`
  if (kind === 'object') {
    return writeMembers(members(item).map(([name, member]) => [hide(name), withoutSecrets(member, hide)]))
  }
  const text = kind === 'string' ? textOf(item) : item.toString()
  const hidden = hide(text)
  return hidden === text ? item.toString() : JSON.stringify(hidden)
}
