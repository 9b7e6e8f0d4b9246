/** The filters that the service documents for persons, and how each row is checked here: servers ignore what they do not know. */
import { isObject, type Json, type JsonObject } from '../json/exact.ts'
import type { Condition } from './check-rows.ts'
import type { Filter } from './filter.ts'
import { writeProperties } from './service-form.ts'

export interface PersonFilter {
  readonly search?: string | undefined
  readonly email?: string | undefined
  readonly distinctId?: string | undefined
  readonly where: readonly Filter[]
}

export function personQuery({ search, email, distinctId, where }: PersonFilter) {
  return { search, email, distinct_id: distinctId, properties: writeProperties(where) }
}

/** Of all but `where`. */
export function personConditions({ search, email, distinctId }: PersonFilter): readonly Condition[] {
  const conditions: Condition[] = []
  const add = (field: string, isMetBy: Condition['isMetBy']) => conditions.push({ field, isSent: true, isMetBy })
  if (email !== undefined) add('properties', person => emailOf(person) === email)
  if (distinctId !== undefined) add('distinct_ids', person => distinctIdsIn(person).includes(distinctId))
  if (search !== undefined) add('distinct_ids', person => mentions(person, search.toLowerCase()))
  return conditions
}

export function emailOf({ properties }: JsonObject<Json>): Json | undefined {
  return isObject(properties) ? properties.email : undefined
}

export function distinctIdsIn({ distinct_ids: ids }: JsonObject<Json>): readonly Json[] {
  return Array.isArray(ids) ? ids : []
}

function mentions({ id, uuid, name, distinct_ids: ids, properties }: JsonObject<Json>, wanted: string): boolean {
  const within = (value: Json | undefined): boolean => {
    if (typeof value === 'string') return value.toLowerCase().includes(wanted)
    return Array.isArray(value) ? value.some(within) : isObject(value) && Object.values(value).some(within)
  }
  return [ids, name, properties].some(within) || [id, uuid].some(one => String(one).toLowerCase() === wanted)
}
