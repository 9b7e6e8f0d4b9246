/** Answers are checked, since servers ignore an unknown filter and return everyone. */
import { isObject, type Json, type JsonObject, textOf } from '../json/exact.ts'
import { type Filter, fixTimes, positives } from './filter.ts'
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

/** One part of a filter; every part must be met. */
export interface Condition {
  isMetBy(person: KnownPerson): boolean
  /** The same part with another value. */
  withValue(value: string): PersonFilter
  /** Newer servers search and match more than can be seen here (`docs/servers.md`). */
  readonly isWide: boolean
}

interface KnownPerson {
  readonly distinctIds: readonly string[]
  /** Undefined if the service left them out: then nothing is known about them. */
  readonly properties: JsonObject<Json> | undefined
  mentions(text: string): boolean
}

/** The filter's times must be fixed. */
export function conditionsOf({ search, email, distinctId, property }: PersonFilter): readonly Condition[] {
  const conditions: Condition[] = property.map(propertyCondition)
  if (distinctId !== undefined) {
    conditions.push({
      isMetBy: ({ distinctIds }) => distinctIds.includes(distinctId),
      withValue: value => ({ distinctId: value, property: [] }),
      isWide: false,
    })
  }
  if (email !== undefined) {
    conditions.push({
      isMetBy: ({ properties }) => propertyIn(properties, 'email') === email,
      withValue: value => ({ email: value, property: [] }),
      isWide: false,
    })
  }
  if (search !== undefined) {
    conditions.push({
      isMetBy: person => person.mentions(search),
      withValue: value => ({ search: value, property: [] }),
      isWide: true,
    })
  }
  return conditions
}

function propertyCondition(filter: Filter): Condition {
  const { key, operator } = filter
  const fits = matcherOf(filter)
  const kind = positives[operator] ?? operator
  const compared = kind === 'icontains' || kind === 'regex' ? kind : 'exact'
  return {
    isMetBy: ({ properties }) => properties !== undefined && fits?.(propertyIn(properties, key)) === true,
    withValue: value => ({ property: [{ key, operator: compared, values: [value] }] }),
    isWide: kind === 'regex',
  }
}

/** A property may be called `constructor`. */
function propertyIn(properties: JsonObject<Json> | undefined, key: string): Json | undefined {
  return properties && Object.hasOwn(properties, key) ? properties[key] : undefined
}

export function knownPerson(person: Json): KnownPerson {
  const { distinct_ids, properties, uuid } = isObject(person) ? person : {}
  const distinctIds = Array.isArray(distinct_ids) ? distinct_ids.map(textOf) : []
  return {
    distinctIds,
    properties: isObject(properties) ? properties : undefined,
    mentions: text => mentions(text, distinctIds, properties, uuid),
  }
}

/** The filter's times must be fixed. */
export function personMatcher(filter: PersonFilter): (person: Json) => boolean {
  const conditions = conditionsOf(filter)
  return value => {
    const person = knownPerson(value)
    return conditions.every(({ isMetBy }) => isMetBy(person))
  }
}

function mentions(search: string, ids: readonly string[], properties: Json | undefined, uuid: Json | undefined) {
  const wanted = search.toLowerCase()
  const within = (value: unknown): boolean => {
    if (typeof value === 'string') return value.toLowerCase().includes(wanted)
    return Array.isArray(value) ? value.some(within) : isObject(value) && Object.values(value).some(within)
  }
  if (typeof uuid === 'string' && uuid.toLowerCase() === wanted) return true
  return within(ids) || within(properties)
}
