import { isNothing, isObject, isText, type Json, type JsonObject, textOf } from '../json/exact.ts'
import { isPropertyPath, nameOfField } from '../json/property-path.ts'
import { isNumberText } from '../values/number.ts'
import type { Condition } from './check-rows.ts'
import { type Filter, operators } from './filter.ts'

/** Servers ignore an entry without `type`. */
function writeProperties(filters: readonly Filter[]): string | undefined {
  const entries = filters.filter(isServerChecked).map(({ key, operator, values }) => {
    const value = values.length > 1 ? values : (values[0] ?? operator)
    return { key: nameOfField(key), value, operator, type: 'person' }
  })
  return entries.length === 0 ? undefined : JSON.stringify(entries)
}

/** Servers differ in `3` and `3.0`, `true` and `"true"`, in dates, null, other alphabets, and nested properties. */
export function isServerChecked({ key, operator, values }: Filter): boolean {
  if (!isPropertyPath(key) || nameOfField(key).includes('.')) return false
  if (operator === 'is_set') return true
  if (operator === 'exact') return !values.some(value => isNumberText(value) || /^(true|false|null)$/i.test(value))
  return operator === 'icontains' && values.every(value => /^[ !#-[\]-~]+$/.test(value) && /[^\d.e+-]/i.test(value))
}

/** Undefined for an entry that servers ignore. Its key is the name of a property. Real servers require its type. */
export function readFilterEntry(entry: Json, { requireType }: { readonly requireType: boolean }): Filter | undefined {
  if (!isObject(entry)) return undefined
  const { key, value, operator = 'exact', type } = entry
  const known = operators.find(one => one === operator)
  if (typeof key !== 'string' || known === undefined) return undefined
  if (type !== 'person' && (requireType || type !== undefined)) return undefined
  if (known === 'is_set' || known === 'is_not_set') return { key, operator: known, values: [] }
  if (isNothing(value)) return undefined
  return { key, operator: known, values: (Array.isArray(value) ? value : [value]).map(textOf) }
}

export interface PersonFilter {
  readonly search?: string | undefined
  readonly email?: string | undefined
  readonly distinctId?: string | undefined
  readonly where: readonly Filter[]
}

export function personQuery({ search, email, distinctId, where }: PersonFilter) {
  return { search, email, distinct_id: distinctId, properties: writeProperties(where) }
}

export function personConditions({ search, email, distinctId }: PersonFilter): readonly Condition[] {
  const conditions: Condition[] = []
  const add = (field: string, isMetBy: Condition['isMetBy']) =>
    conditions.push({ field, isServerChecked: true, isMetBy })
  if (email !== undefined) add('properties', person => namesIn(person, 'email').includes(email))
  if (distinctId !== undefined) add('distinct_ids', person => namesIn(person, 'distinctId').includes(distinctId))
  if (search !== undefined) add('distinct_ids', person => mentions(person, search.toLowerCase()))
  return conditions
}

export function namesIn(person: Json, by: 'email' | 'distinctId'): readonly string[] {
  const { properties, distinct_ids: ids } = isObject(person) ? person : {}
  const names = by === 'email' ? [isObject(properties) && properties.email] : ids
  return Array.isArray(names) ? names.filter(isText) : []
}

function mentions({ id, uuid, name, distinct_ids: ids, properties }: JsonObject<Json>, wanted: string): boolean {
  const within = (value: Json | undefined): boolean => {
    if (typeof value === 'string') return value.toLowerCase().includes(wanted)
    return Array.isArray(value) ? value.some(within) : isObject(value) && Object.values(value).some(within)
  }
  return [ids, name, properties].some(within) || [id, uuid].some(one => String(one).toLowerCase() === wanted)
}
