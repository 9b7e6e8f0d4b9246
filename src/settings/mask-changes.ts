import { encode, isObject, type JsonObject } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import { itemOf } from '../json/read-item.ts'
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
      const setting = masked({ [field]: value }, hideSecret)
      const own = isObject(setting) ? setting[field] : undefined
      return isSecretName(field) ? withoutSecrets(own, masking.hide) : maskField(field, own, masking)
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
export function maskBody(body: JsonObject, masking: Masking): string {
  return encode(masked(maskRecord(body, masking)))
}

export function maskVariables({ value }: Item, masking: Masking): Item {
  return itemOf(isObject(value) ? maskRecord(value, masking) : value)
}

function maskRecord(record: JsonObject, masking: Masking): JsonObject {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, maskField(name, value, masking)]))
}

function maskField(field: string, value: unknown, { fromVariables, hide }: Masking): unknown {
  return fromVariables.has(field) && value !== null ? '***' : withoutSecrets(value, hide)
}

function withoutSecrets(value: unknown, hide: Secrets['hide']): unknown {
  if (Array.isArray(value)) return value.map(element => withoutSecrets(element, hide))
  if (isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [hide(name), withoutSecrets(member, hide)]))
  }
  const text = String(value)
  const hidden = hide(text)
  return hidden === text ? value : hidden
}
