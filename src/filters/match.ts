/**
 * The filters of persons, checked here: servers ignore a filter that they do not understand and answer with everyone.
 * Where servers differ (a property that is null) a record passes: it is what was asked for in one of their readings.
 */
import type { PropertyFilter } from '../cli/filters.ts'
import { decode } from '../json/exact.ts'
import { compile, elements, kindOf, members, textOf } from '../json/pick.ts'
import type { Item } from '../json/slice.ts'

export interface PersonFilter {
  readonly search?: string | undefined
  readonly email?: string | undefined
  readonly distinctId?: string | undefined
  readonly property: readonly PropertyFilter[]
}

const { pick } = compile(['distinct_ids', 'properties'])

/** Whether a person is one that the filter asks for. */
export function matches(person: Item, { search, email, distinctId, property }: PersonFilter): boolean {
  const [ids, properties] = pick(person)
  const own = ids ? elements(ids).map(textOf) : []
  const values = new Map(properties ? members(properties) : [])
  if (distinctId !== undefined && !own.includes(distinctId)) return false
  if (email !== undefined && textIn(values.get('email')) !== email) return false
  if (search !== undefined && !mentions(search, own, properties)) return false
  return property.every(filter => holds(filter, values.get(filter.key)))
}

function mentions(search: string, ids: readonly string[], properties: Item | undefined): boolean {
  const wanted = search.toLowerCase()
  const within = (value: unknown): boolean => {
    if (typeof value === 'string') return value.toLowerCase().includes(wanted)
    return typeof value === 'object' && value !== null && Object.values(value).some(within)
  }
  return within(ids) || (properties !== undefined && within(decode(properties)))
}

function holds({ operator, value: wanted }: PropertyFilter, value: Item | undefined): boolean {
  const missing = value === undefined || kindOf(value) === 'null'
  const text = textIn(value)
  switch (operator) {
    case 'is_set':
      return value !== undefined
    case 'is_not_set':
      return missing
    case 'exact':
      return text === wanted
    case 'is_not':
      return text !== wanted
    case 'icontains':
      return text?.toLowerCase().includes(wanted.toLowerCase()) ?? false
    case 'gt':
      return (compared(value, wanted) ?? 0) > 0
    case 'lt':
      return (compared(value, wanted) ?? 0) < 0
  }
}

/** The text of a value, a list or object as its JSON; undefined for none and null. */
function textIn(value: Item | undefined): string | undefined {
  return value === undefined || kindOf(value) === 'null' ? undefined : textOf(value)
}

/** As numbers where a number is asked for, else as text: ISO dates compare well so. Undefined for what is neither. */
function compared(value: Item | undefined, wanted: string): number | undefined {
  const kind = value && kindOf(value)
  if (kind !== 'number' && kind !== 'string') return undefined
  const text = textOf(value as Item)
  if (!isNumber(wanted)) return text < wanted ? -1 : text > wanted ? 1 : 0
  if (!isNumber(text)) return undefined
  // A double would take 9007199254740993 for the one before it.
  return isWhole(text) && isWhole(wanted) ? Number(BigInt(text) - BigInt(wanted)) : Number(text) - Number(wanted)
}

function isNumber(text: string): boolean {
  return /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(text)
}

function isWhole(text: string): boolean {
  return /^-?\d{1,1000}$/.test(text)
}
