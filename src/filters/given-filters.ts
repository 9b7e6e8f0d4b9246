import { UsageError } from '../errors.ts'
import { isObject } from '../json/exact.ts'
import { type Filter, isBlank, operators } from './filter.ts'
import { isOperator, readEntry } from './service-form.ts'

interface GivenFilters {
  readonly filters: readonly Filter[]
  /** Entries of type `cohort`: only the service knows who is in one. */
  readonly unchecked: number
}

/** Throws `UsageError` for an entry that servers ignore, since they would answer with everyone. */
export function readGivenFilters(given: unknown): GivenFilters {
  if (!Array.isArray(given) || given.length === 0) throw malformed(' must be a JSON list with an entry for each filter')
  for (const [i, entry] of given.entries()) {
    const problem = problemIn(entry)
    if (problem !== undefined) throw malformed(`: entry ${i + 1} ${problem}`)
  }
  const filters = given.flatMap(entry => readEntry(entry, { typed: true }) ?? [])
  return { filters, unchecked: given.length - filters.length }
}

function problemIn(entry: unknown): string | undefined {
  if (!isObject(entry)) return 'is no object'
  const { key, type, operator = 'exact', value } = entry
  if (typeof key !== 'string' || isBlank(key)) return 'has no key'
  if (type !== 'person' && type !== 'cohort') return 'has no "type":"person"'
  if (type === 'person' && !isOperator(operator)) {
    return `has another operator than ${operators.join(' ')}`
  }
  const isPresence = operator === 'is_set' || operator === 'is_not_set'
  return !isPresence && isEmpty(value) ? 'has an empty value' : undefined
}

/** Servers take an empty list for everyone. */
function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0 || value.some(isEmpty)
  return value === undefined || value === null || (typeof value === 'string' && isBlank(value))
}

function malformed(what: string): UsageError {
  return new UsageError(`--properties${what}`, {
    hint: 'Write it like [{"key":"plan","value":"pro","operator":"exact","type":"person"}], or use --property',
  })
}
