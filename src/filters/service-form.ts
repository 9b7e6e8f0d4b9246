/** The `properties` query value of persons is one JSON list (`docs/servers.md`). */
import { UsageError } from '../errors.ts'
import { isObject, type Json, textOf } from '../json/exact.ts'
import { type Filter, operators } from './filter.ts'
import { matcherOf } from './match.ts'
import { isNumber } from './number.ts'

const below = 'properties.'

/** What the service is asked for; undefined if it is asked for nothing. An entry without `type` would be ignored. */
export function writeProperties(filters: readonly Filter[]): string | undefined {
  const entries = filters.filter(isSent).map(({ key, operator, values }) => {
    const value = values.length > 1 ? values : (values[0] ?? operator)
    return { key: key.slice(below.length), value, operator, type: 'person' }
  })
  return entries.length === 0 ? undefined : JSON.stringify(entries)
}

/**
 * Only what every server answers with at least the rows that are right. Servers differ in `3` and `3.0`, in `true` and `"true"`,
 * in numbers as texts, time zones, null, and in the letters of other alphabets; some do not look below a property.
 */
export function isSent({ key, operator, values }: Filter): boolean {
  if (!key.startsWith(below) || key.includes('.', below.length)) return false
  if (operator === 'is_set') return true
  if (operator === 'exact') return !values.some(value => isNumber(value) || /^(true|false|null)$/i.test(value))
  return operator === 'icontains' && values.every(value => /^[ !#-[\]-~]+$/.test(value) && /[^\d.e+-]/i.test(value))
}

/** Undefined for an entry that servers ignore; `typed`: it must have `"type":"person"`. Its key is the name of a property. */
export function readEntry(entry: Json, { typed }: { readonly typed: boolean }): Filter | undefined {
  if (!isObject(entry)) return undefined
  const { key, value, operator = 'exact', type } = entry
  const known = operators.find(one => one === operator)
  if (typeof key !== 'string' || known === undefined) return undefined
  if (type !== 'person' && (typed || type !== undefined)) return undefined
  if (known === 'is_set' || known === 'is_not_set') return { key, operator: known, values: [] }
  if (value === undefined || value === null) return undefined
  return { key, operator: known, values: (Array.isArray(value) ? value : [value]).map(textOf) }
}

interface GivenFilters {
  readonly filters: readonly Filter[]
  /** Entries of type `cohort`: only the service knows who is in one. */
  readonly unchecked: number
}

/** Throws `UsageError` for an entry that servers ignore, since they would answer with everyone. */
export function readGivenFilters(given: Json): GivenFilters {
  if (!Array.isArray(given) || given.length === 0) throw malformed(' must be a JSON list with an entry for each filter')
  const filters = given.flatMap((entry, i) => {
    if (isObject(entry) && entry.type === 'cohort' && typeof entry.key === 'string') return []
    const filter = readEntry(entry, { typed: true })
    if (!filter || filter.key.trim() === '') throw malformed(`: entry ${i + 1} ${problemIn(entry)}`)
    if (!matcherOf(filter) || filter.values.some(value => value.trim() === '' || value === 'null')) {
      throw malformed(`: entry ${i + 1} has a value that cannot be checked here`)
    }
    return { ...filter, key: `${below}${filter.key}` }
  })
  return { filters, unchecked: given.length - filters.length }
}

function problemIn(entry: Json): string {
  if (!isObject(entry)) return 'is no object'
  if (typeof entry.key !== 'string' || entry.key.trim() === '') return 'has no key'
  if (entry.type !== 'person') return 'has no "type":"person"'
  if (!operators.some(one => one === (entry.operator ?? 'exact'))) {
    return `has another operator than ${operators.join(' ')}`
  }
  return 'has no value'
}

function malformed(what: string): UsageError {
  return new UsageError(`--properties${what}`, {
    hint: 'Write it like [{"key":"plan","value":"pro","operator":"exact","type":"person"}], or use --property',
  })
}
