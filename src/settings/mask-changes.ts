import { decode, encode } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import { elements, kindOf, members, textOf } from '../json/pick.ts'
import { writeMembers } from '../json/write-members.ts'
import { masked, newSecret, oldSecret } from '../output/mask.ts'
import { isSecretName } from '../secrets/secret-names.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { SettingChange } from './compare.ts'

interface Masking extends Pick<Secrets, 'hide'> {
  readonly fromVariables: ReadonlySet<string>
}

/** Every secret reads `(secret)`, but `(another secret)` where it was another one before. */
export function maskChanges(changes: readonly SettingChange[], masking: Masking): SettingChange[] {
  return changes.map(({ field, from, to }) => {
    const old = new Set<string>()
    const shown = (value: unknown, hideSecret: (secret: string) => string) => {
      const [[, item] = ['', Buffer.from('null')]] = members(
        masked(Buffer.from(encode({ [field]: value })), hideSecret),
      )
      return decode(isSecretName(field) ? withoutSecrets(item, masking.hide) : maskField(field, item, masking))
    }
    return {
      field,
      from: shown(from, secret => {
        old.add(secret)
        return oldSecret
      }),
      to: shown(to, secret => (old.size > 0 && !old.has(secret) ? newSecret : oldSecret)),
    }
  })
}

/** Also hides what is secret by its name. */
export function maskBody(body: Item, masking: Masking): string {
  return masked(maskVariables(body, masking)).toString()
}

export function maskVariables(record: Item, masking: Masking): Item {
  return Buffer.from(writeMembers(members(record).map(([name, value]) => [name, maskField(name, value, masking)])))
}

function maskField(field: string, value: Item, { fromVariables, hide }: Masking): string {
  const isMasked = fromVariables.has(field) && kindOf(value) !== 'null'
  return isMasked ? JSON.stringify('***') : withoutSecrets(value, hide)
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
