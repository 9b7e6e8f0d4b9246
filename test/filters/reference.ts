/** A slow and simple reference of what filters match, for the client and for the sandbox. */
import { noon } from '../clock.ts'

export interface Typed {
  readonly key: string
  readonly sign: '=' | '!=' | '~' | '!~' | '>' | '<' | '>=' | '<=' | 'set' | 'not set'
  readonly value: string
}

export function typedText({ key, sign, value }: Typed): string {
  if (sign === 'set') return key
  return sign === 'not set' ? `!${key}` : `${key}${sign}${value}`
}

export type ReferenceRecord = Readonly<Record<string, unknown>>

/** The filters that the service has for persons, besides those of properties. */
export interface PersonWords {
  readonly email?: string
  readonly search?: string
  readonly distinctId?: string
}

export function selectsPerson({ email, search, distinctId }: PersonWords, person: ReferenceRecord): boolean {
  const { distinct_ids, properties, name, id } = person
  const ids = distinct_ids as readonly string[]
  if (email !== undefined && (properties as ReferenceRecord).email !== email) return false
  if (distinctId !== undefined && !ids.includes(distinctId)) return false
  const texts = [...ids, name, ...Object.values(properties as object).flat()].filter(one => typeof one === 'string')
  return (
    search === undefined ||
    String(id) === search ||
    texts.some(text => text.toLowerCase().includes(search.toLowerCase()))
  )
}

/** `key` may lead one level down, as in `properties.plan`. */
export function selectsAt({ key, ...typed }: Typed, record: ReferenceRecord): boolean {
  const [first = '', ...rest] = key.split('.')
  if (rest.length === 0) return selects({ key, ...typed }, record)
  const below = record[first]
  const isObject = typeof below === 'object' && below !== null && !Array.isArray(below)
  return selects({ key: rest.join('.'), ...typed }, isObject ? (below as ReferenceRecord) : {})
}

export function selects({ key, sign, value }: Typed, record: ReferenceRecord): boolean {
  const own = record[key] ?? null
  if (sign === 'set') return own !== null
  if (sign === 'not set') return own === null
  if (sign === '!=') return !selects({ key, sign: '=', value }, record)
  if (sign === '!~') return !selects({ key, sign: '~', value }, record)
  const items = Array.isArray(own) ? own : [own]
  return items.some(item => item !== null && fits(typeof item === 'object' ? JSON.stringify(item) : String(item)))

  function fits(text: string): boolean {
    if (sign === '=') return text === value || (isNumber(text) && numberOf(text) === numberOf(value))
    if (sign === '~') return text.toLowerCase().includes(value.toLowerCase())
    const [one, other] = isNumber(value) ? [numberOf(text), numberOf(value)] : [dateOf(text), dateOf(value)]
    if (one === undefined || other === undefined) return false
    if (sign.endsWith('=') && one === other) return true
    return sign.startsWith('>') ? one > other : one < other
  }
}

function isNumber(text: string): boolean {
  return numberOf(text) !== undefined
}

function numberOf(text: string): number | undefined {
  return /^-?[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) : undefined
}

/** `-90d` is 90 days before the time that tests use. */
function dateOf(text: string): number | undefined {
  const [, days] = /^-(\d+)d$/.exec(text) ?? []
  if (days !== undefined) return noon - Number(days) * 86_400_000
  return /^\d{4}-\d\d-\d\d(T.*Z)?$/.test(text) ? Date.parse(text) : undefined
}
