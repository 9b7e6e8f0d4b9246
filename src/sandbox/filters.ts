import { fixTimes } from '../filters/filter.ts'
import { matcherOf } from '../filters/match.ts'
import { readEntry } from '../filters/service-form.ts'
import { decode, decodeObject, isObject, type Json } from '../json/exact.ts'
import { Malformed } from '../json/malformed.ts'
import { AnswerError, type Call, invalid, serverError } from './call.ts'
import type { SqlValue } from './store/driver.ts'

interface PersonSelection {
  readonly conditions: readonly (readonly [sql: string, ...cells: SqlValue[]])[]
  readonly test: ((properties: string) => boolean) | undefined
}

const known = new Set(['distinct_id', 'email', 'format', 'limit', 'offset', 'properties', 'search', 'cursor'])

/** Servers ignore an unknown filter and return everyone. */
export function selectionOf(call: Call): PersonSelection {
  const { query } = call
  if (call.dialect === 'documented') {
    const unknownName = [...query.keys()].find(name => !known.has(name))
    if (unknownName !== undefined) throw invalid(unknownName, 'Unknown parameter.', 'unknown_parameter')
  }
  const conditions: [string, ...SqlValue[]][] = []
  const given = (name: string) => query.get(name) || undefined
  const email = given('email')
  if (email !== undefined) conditions.push(['email = ?', JSON.stringify(email)])
  const distinctId = given('distinct_id')
  if (distinctId !== undefined) conditions.push([hasDistinctId, call.scope, JSON.stringify(distinctId)])
  const search = given('search')
  if (search !== undefined) {
    const text = JSON.stringify(search)
    const cells = [text.slice(1, -1), call.scope, text]
    // Newer servers also search in the uuid.
    const orUuid = call.dialect === 'observed' ? ' OR uuid = lower(?)' : ''
    const uuid = orUuid === '' ? [] : [search]
    conditions.push([`(instr(lower(email), lower(?)) > 0 OR ${hasDistinctId}${orUuid})`, ...cells, ...uuid])
  }
  const tests = testsOf(given('properties'), call)
  const passes = (json: string) => {
    const properties = new Map(Object.entries(decodeObject(json)))
    return tests.every(test => test(properties))
  }
  return { conditions, test: tests.length === 0 ? undefined : passes }
}

const hasDistinctId = 'id = (SELECT person FROM distinct_ids WHERE distinct_ids.project = ? AND distinct_id = ?)'

type PropertyTest = (properties: ReadonlyMap<string, Json>) => boolean

function testsOf(text: string | undefined, call: Call): PropertyTest[] {
  if (text === undefined) return []
  return entriesIn(text, call).flatMap((entry): PropertyTest[] => {
    const filter = readEntry(entry, { typed: call.dialect === 'observed' })
    const fits = filter && matcherOf(fixTimes(filter, call.now))
    if (fits) return [properties => fits(properties.get(filter.key))]
    if (call.dialect === 'observed') return []
    throw invalid('properties', `This is not a filter by person properties: ${JSON.stringify(entry)}`)
  })
}

/** Servers go through it as a list without a check, which only an empty object passes. */
function entriesIn(text: string, { dialect }: Call): readonly unknown[] {
  const value = parsed(text)
  if (Array.isArray(value)) return value
  if (dialect === 'documented') throw invalid('properties', 'A JSON list of filters is required.')
  if (isObject(value) && Object.keys(value).length === 0) return []
  throw new AnswerError(serverError)
}

function parsed(text: string): unknown {
  try {
    return decode(text)
  } catch (error) {
    if (error instanceof Malformed) throw invalid('properties', 'Properties are unparsable!')
    throw error
  }
}
