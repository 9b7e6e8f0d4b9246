/** The `properties` query value of persons is one JSON list (`docs/servers.md`). */
import { ExactNumber } from '../json/exact.ts'
import { earliest, instantOf } from '../values/instant.ts'
import { type Filter, operators, timeText } from './filter.ts'
import { withoutLastZeros } from './number.ts'

/** Servers ignore an entry without `type`, and then return everyone. The times must be fixed. */
export function writeProperties(filters: readonly Filter[]): string | undefined {
  if (filters.length === 0) return undefined
  const entries = filters.map(filter => {
    const { key, operator, values } = onServer(filter)
    return { key, value: values.length > 1 ? values : (values[0] ?? operator), operator, type: 'person' }
  })
  return JSON.stringify(entries)
}

/** Servers cannot say "at or after", so they are asked for a second more; answers are checked here. */
function onServer({ key, operator, values }: Filter): Filter {
  if (operator === 'exact') {
    return { key, operator, values: values.flatMap(spellings) }
  }
  if (operator !== 'is_date_from' && operator !== 'is_date_until') return { key, operator, values }
  const [kept, seconds] =
    operator === 'is_date_from' ? (['is_date_after', -1] as const) : (['is_date_before', 1] as const)
  return { key, operator: kept, values: values.map(value => moved(value, seconds)) }
}

/** Those of one number. */
function spellings(value: string): readonly string[] {
  const short = withoutLastZeros(value)
  return short === value ? [value] : [value, short]
}

function moved(time: string, seconds: number): string {
  const instant = instantOf(time)
  return instant === undefined ? time : timeText(Math.max(earliest, instant + seconds * 1000))
}

/** Undefined for an entry that servers ignore; `typed`: it must have `"type":"person"`. */
export function readEntry(entry: unknown, { typed }: { readonly typed: boolean }): Filter | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined
  const { key, value, operator = 'exact', type } = entry as Readonly<Record<string, unknown>>
  if (typeof key !== 'string' || !isOperator(operator)) return undefined
  if (type !== 'person' && (typed || type !== undefined)) return undefined
  if (operator === 'is_set' || operator === 'is_not_set') return { key, operator, values: [] }
  if (value === undefined || value === null) return undefined
  const values = (Array.isArray(value) ? value : [value]).map(valueText)
  return { key, operator, values }
}

export function isOperator(operator: unknown): operator is (typeof operators)[number] {
  return operators.some(known => known === operator)
}

/** Numbers keep their digits. */
function valueText(value: unknown): string {
  return typeof value === 'object' && !(value instanceof ExactNumber) ? JSON.stringify(value) : String(value)
}
