/** Filters of the list of persons: those that the service documents, and the operators of `properties` that it knows. */
import { decode, ExactNumber } from '../json/exact.ts'
import { Malformed } from '../json/item.ts'
import { type Call, invalid } from './call.ts'
import { readMembers, stringOf } from './members.ts'
import type { Cell } from './store.ts'

/** What a person must meet, beside being of the project. */
export interface Filter {
  /** Conditions of a WHERE, each with its cells. */
  readonly conditions: readonly (readonly [sql: string, ...cells: Cell[]])[]
  /** What the properties' JSON text must pass as well; undefined: nothing. */
  readonly test: ((properties: string) => boolean) | undefined
}

const known = new Set(['distinct_id', 'email', 'format', 'limit', 'offset', 'properties', 'search', 'cursor'])

/** Reads the filters of a call. In the wild, one that is not understood is ignored: the answer is everyone. */
export function filterOf(call: Call): Filter {
  const query = call.url.searchParams
  if (call.dialect === 'documented') {
    const stranger = [...query.keys()].find(name => !known.has(name))
    if (stranger !== undefined) throw invalid(stranger, 'Unknown parameter.', 'unknown_parameter')
  }
  const conditions: [string, ...Cell[]][] = []
  const given = (name: string) => query.get(name) || undefined
  const email = given('email')
  if (email !== undefined) conditions.push(['email = ?', JSON.stringify(email)])
  const distinctId = given('distinct_id')
  if (distinctId !== undefined) conditions.push([hasDistinctId, call.scope, JSON.stringify(distinctId)])
  const search = given('search')
  if (search !== undefined) {
    const text = JSON.stringify(search)
    conditions.push([`(instr(lower(email), lower(?)) > 0 OR ${hasDistinctId})`, text.slice(1, -1), call.scope, text])
  }
  const tests = testsOf(given('properties'), call)
  return { conditions, test: tests.length === 0 ? undefined : passes(tests) }
}

const hasDistinctId = 'id = (SELECT person FROM distinct_ids WHERE distinct_ids.project = ? AND distinct_id = ?)'

type Test = (properties: ReadonlyMap<string, string>) => boolean

function passes(tests: readonly Test[]): (properties: string) => boolean {
  return text => {
    const properties = readMembers(text)
    return tests.every(test => test(properties))
  }
}

function testsOf(text: string | undefined, call: Call): Test[] {
  if (text === undefined) return []
  const entries = listOf(text)
  if (!entries) return malformed(call, 'A JSON list of filters is required.')
  return entries.flatMap(entry => {
    const test = testOf(entry, call)
    return test ? [test] : malformed(call, `This is not a filter by person properties: ${JSON.stringify(entry)}`)
  })
}

function listOf(text: string): unknown[] | undefined {
  try {
    const value = decode(text)
    return Array.isArray(value) ? value : undefined
  } catch (error) {
    if (error instanceof Malformed) return undefined
    throw error
  }
}

function malformed(call: Call, detail: string): [] {
  if (call.dialect === 'documented') throw invalid('properties', detail)
  return []
}

function testOf(entry: unknown, call: Call): Test | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined
  const { key, value, operator = 'exact', type } = entry as Readonly<Record<string, unknown>>
  if (typeof key !== 'string' || typeof operator !== 'string') return undefined
  if (type !== 'person' && (type !== undefined || call.dialect === 'observed')) return undefined
  if (operator === 'is_set') return properties => properties.has(key)
  if (operator === 'is_not_set') return properties => !properties.has(key)
  if (value === undefined || value === null) return undefined
  const compare = comparison(operator, (Array.isArray(value) ? value : [value]).map(textOf))
  if (!compare) return undefined
  const { negative, fits } = compare
  return properties => {
    const json = properties.get(key)
    // Who has no such property is not one who has it with this value.
    return json === undefined ? negative : fits(stringOf(json) ?? json) !== negative
  }
}

interface Comparison {
  /** Whether the operator asks for those that do not fit. */
  readonly negative: boolean
  fits(text: string): boolean
}

const negatives: Readonly<Record<string, string>> = { is_not: 'exact', not_icontains: 'icontains', not_regex: 'regex' }

function comparison(operator: string, values: readonly string[]): Comparison | undefined {
  const negated = Object.hasOwn(negatives, operator) ? negatives[operator] : undefined
  const fits = fitting(negated ?? operator, values)
  return fits && { negative: negated !== undefined, fits }
}

function fitting(operator: string, values: readonly string[]): ((text: string) => boolean) | undefined {
  const [first = ''] = values
  switch (operator) {
    case 'exact':
      return text => values.includes(text)
    case 'icontains':
      return text => values.some(value => text.toLowerCase().includes(value.toLowerCase()))
    case 'regex': {
      const pattern = patternOf(first)
      return pattern && (text => pattern.test(text))
    }
    case 'gt':
      return text => order(text, first) > 0
    case 'gte':
      return text => order(text, first) >= 0
    case 'lt':
      return text => order(text, first) < 0
    case 'lte':
      return text => order(text, first) <= 0
  }
  return undefined
}

function patternOf(text: string): RegExp | undefined {
  try {
    return new RegExp(text)
  } catch {
    return undefined
  }
}

/** Negative, zero or positive; NaN, which is none of them, where one is no number. */
function order(a: string, b: string): number {
  const whole = /^-?\d+$/
  if (whole.test(a) && whole.test(b)) return Number(BigInt(a) - BigInt(b))
  if (a.trim() === '' || b.trim() === '') return Number.NaN
  return Number(a) - Number(b)
}

/** A filter's value as text, numbers as they were written. */
function textOf(value: unknown): string {
  return typeof value === 'object' && !(value instanceof ExactNumber) ? JSON.stringify(value) : String(value)
}
