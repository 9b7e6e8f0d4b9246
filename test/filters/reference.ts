/** What filters mean, slowly and plainly, over parsed values: the measure for the client and for the sandbox. */

export interface Typed {
  readonly key: string
  readonly sign: '=' | '!=' | '~' | '>' | '<' | 'set' | 'not set'
  readonly value: string
}

export function typedText({ key, sign, value }: Typed): string {
  if (sign === 'set') return key
  return sign === 'not set' ? `!${key}` : `${key}${sign}${value}`
}

export function selects({ key, sign, value }: Typed, record: Readonly<Record<string, unknown>>): boolean {
  const own = record[key] ?? null
  if (sign === 'set') return own !== null
  if (sign === 'not set') return own === null
  if (sign === '!=') return !selects({ key, sign: '=', value }, record)
  const items = Array.isArray(own) ? own : [own]
  return items.some(item => item !== null && fits(typeof item === 'object' ? JSON.stringify(item) : String(item)))

  function fits(text: string): boolean {
    if (sign === '=') return text === value
    if (sign === '~') return text.toLowerCase().includes(value.toLowerCase())
    const [one, other] = isNumber(value) ? [numberOf(text), numberOf(value)] : [dateOf(text), dateOf(value)]
    if (one === undefined || other === undefined) return false
    return sign === '>' ? one > other : one < other
  }
}

function isNumber(text: string): boolean {
  return numberOf(text) !== undefined
}

function numberOf(text: string): number | undefined {
  return /^-?[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) : undefined
}

function dateOf(text: string): number | undefined {
  return /^\d{4}-\d\d-\d\d(T.*Z)?$/.test(text) ? Date.parse(text) : undefined
}
