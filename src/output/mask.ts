import { isObject, type Json } from '../json/exact.ts'
import { isSecretName, maskUrls } from '../secrets/secret-names.ts'

function mask(secret: string): string {
  const characters = [...secret]
  return characters.length < 12 ? '***' : `***${characters.slice(-4).join('')}`
}

export function masked<T>(value: T, hide?: typeof mask): T
export function masked(value: unknown, hide = mask): unknown {
  if (typeof value === 'string') return maskUrls(value)
  if (Array.isArray(value)) return value.map(one => masked(one, hide))
  if (!isObject(value)) return value
  // An activity entry has the name of a field in one member and its values in others.
  const isSecretField = typeof value.field === 'string' && isSecretName(value.field)
  const hides = (name: string) => isSecretName(name) || (isSecretField && (name === 'before' || name === 'after'))
  const members = Object.entries(value).map(([name, one]) => [
    name,
    hides(name) ? maskedSecret(one, hide) : masked(one, hide),
  ])
  return Object.fromEntries(members)
}

export function maskOf(path: string): (value: Json | undefined) => Json | undefined {
  if (!path.split('.').some(isSecretName)) return masked
  return value => (value === undefined ? undefined : maskedSecret(value, mask))
}

function maskedSecret(value: unknown, hide: typeof mask): string | null {
  return value === null ? null : hide(typeof value === 'string' ? value : '')
}

/** Replaces a secret by `(secret)`, and a changed one by `(another secret)`. */
export function maskChange({ field, from, to }: Record<'from' | 'to', unknown> & { readonly field: string }) {
  const oldSecrets = new Set<string>()
  const maskField = (value: unknown, hide: (secret: string) => string) => {
    const { [field]: result } = masked({ [field]: value }, hide)
    return result
  }
  const before = maskField(from, secret => {
    oldSecrets.add(secret)
    return '(secret)'
  })
  return {
    field,
    from: before,
    to: maskField(to, secret => (oldSecrets.size > 0 && !oldSecrets.has(secret) ? '(another secret)' : '(secret)')),
  }
}
