/** Answers are checked, since servers ignore an unknown filter and return everyone. */
import { decode, isObject } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import { compile, elements, kindOf, members, stringIn, textOf } from '../json/pick.ts'
import { type Filter, fixTimes } from './filter.ts'
import { matcherOf } from './match.ts'
import { writeProperties } from './service-form.ts'

export interface PersonFilter {
  readonly search?: string | undefined
  readonly email?: string | undefined
  readonly distinctId?: string | undefined
  readonly property: readonly Filter[]
}

export function fixPersonTimes<F extends PersonFilter>(filter: F, now: number): F {
  return { ...filter, property: filter.property.map(one => fixTimes(one, now)) }
}

/** The filter's times must be fixed. */
export function personQuery({ search, email, distinctId, property }: PersonFilter) {
  return { search, email, distinct_id: distinctId, properties: writeProperties(property) }
}

export function personMatcher({ search, email, distinctId, property }: PersonFilter): (person: Item) => boolean {
  const { pick } = compile(['distinct_ids', 'properties', 'uuid'])
  const tests = property.map(filter => ({ ...filter, fits: matcherOf(filter) }))
  return person => {
    const [ids, properties, uuid] = pick(person)
    const own = ids ? elements(ids).map(textOf) : []
    const isTold = properties !== undefined && kindOf(properties) === 'object'
    // Without the properties, nothing is known about them.
    if (tests.length > 0 && !isTold) return false
    const values = new Map(isTold ? members(properties) : [])
    if (distinctId !== undefined && !own.includes(distinctId)) return false
    if (email !== undefined && stringIn(values.get('email')) !== email) return false
    if (search !== undefined && !mentions(search, own, properties, uuid)) return false
    return tests.every(({ key, operator, fits }) => {
      const value = values.get(key)
      return fits?.(value) || (operator === 'is_set' && value !== undefined)
    })
  }
}

function mentions(search: string, ids: readonly string[], properties: Item | undefined, uuid: Item | undefined) {
  const wanted = search.toLowerCase()
  const within = (value: unknown): boolean => {
    if (typeof value === 'string') return value.toLowerCase().includes(wanted)
    return Array.isArray(value) ? value.some(within) : isObject(value) && Object.values(value).some(within)
  }
  if (stringIn(uuid)?.toLowerCase() === wanted) return true
  return within(ids) || (properties !== undefined && within(decode(properties)))
}
