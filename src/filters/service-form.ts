/** The `properties` query value of persons is one JSON list (`docs/servers.md`). */
import { ExactNumber } from '../json/exact.ts'
import { type Filter, fixTimes, type Operator, operators } from './filter.ts'

/** Servers ignore an entry without `type`, and then return everyone. */
export function writeProperties(filters: readonly Filter[]): string | undefined {
  if (filters.length === 0) return undefined
  const entries = filters.map(({ key, operator, values }) => ({
    key,
    value: values[0] ?? operator,
    operator,
    type: 'person',
  }))
  return JSON.stringify(entries)
}

/** Undefined for an entry that servers ignore; `typed`: it must have `"type":"person"`. */
export function readEntry(entry: unknown, { typed, now }: { typed: boolean; now: number }): Filter | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined
  const { key, value, operator = 'exact', type } = entry as Readonly<Record<string, unknown>>
  if (typeof key !== 'string' || !isOperator(operator)) return undefined
  if (type !== 'person' && (typed || type !== undefined)) return undefined
  if (operator === 'is_set' || operator === 'is_not_set') return { key, operator, values: [] }
  if (value === undefined || value === null) return undefined
  const values = (Array.isArray(value) ? value : [value]).map(textOf)
  return fixTimes({ key, operator, values }, now)
}

function isOperator(operator: unknown): operator is Operator {
  return operators.some(known => known === operator)
}

/** Numbers keep their digits. */
function textOf(value: unknown): string {
  return typeof value === 'object' && !(value instanceof ExactNumber) ? JSON.stringify(value) : String(value)
}
