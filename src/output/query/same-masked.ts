/** Compares the result of a query for secrets with its result for their masks. */
interface Masks {
  readonly of: ReadonlyMap<unknown, string>
  /** Lengths of secrets that may be parts of texts, the longest first. */
  readonly lengths: readonly number[]
}

/** A shorter secret may be a part of any text by chance. */
const longEnough = 8

export function masksIn(whole: unknown, shown: unknown): Masks {
  const of = new Map<unknown, string>()
  const find = (value: unknown, other: unknown) => {
    if (!isCompound(other)) {
      if (value !== other) of.set(value, String(other))
    } else if (value !== other) {
      for (const [name, member] of Object.entries(value as object)) find(member, Reflect.get(other, name))
    }
  }
  find(whole, shown)
  const lengths = [...of.keys()].map(secret => (typeof secret === 'string' ? secret.length : 0))
  return { of, lengths: [...new Set(lengths)].filter(length => length >= longEnough).sort((a, b) => b - a) }
}

/** True if masking before and after the query gives the same result. */
export function isSameMasked(real: unknown, shown: unknown, masks: Masks): boolean {
  if (real === shown) return true
  if (!isCompound(real) || !isCompound(shown) || masks.of.has(real)) {
    return JSON.stringify(withMasks(real, masks)) === JSON.stringify(withMasks(shown, masks))
  }
  const [members, others] = [Object.entries(real), Object.entries(shown)]
  return (
    Array.isArray(real) === Array.isArray(shown) &&
    members.length === others.length &&
    members.every(([name, value], i) => name === others[i]?.[0] && isSameMasked(value, others[i][1], masks))
  )
}

/** Looks up parts of these lengths, since searching for each of thousands of secrets would take minutes. */
function withMasks(value: unknown, { of, lengths }: Masks): unknown {
  if (of.has(value) || typeof value !== 'string') return of.get(value) ?? value
  let text = ''
  for (let at = 0, length = 0; at < value.length; at += length) {
    length = lengths.find(one => of.has(value.slice(at, at + one))) ?? 1
    const part = value.slice(at, at + length)
    text += length === 1 ? part : of.get(part)
  }
  return text
}

function isCompound(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
