/** Checks each row of a list against its filters, since a server may ignore them. */
import { UsageError } from '../errors.ts'
import { isObject, type Json, type JsonObject, valueAt } from '../json/exact.ts'
import { nearestPath, pathsIn } from '../json/nearest-path.ts'
import type { Item } from '../json/read-item.ts'
import { countOf, grouped } from '../text/grouped.ts'
import { type Filter, matcherOf } from './filter.ts'

export interface Condition {
  readonly field: string
  /** If so, a row that does not meet it shows that the server may ignore the filter. */
  readonly isServerChecked: boolean
  isMetBy(record: JsonObject<Json>): boolean
}

interface Checking {
  readonly conditions: readonly Condition[]
  readonly typedKeys: readonly string[]
  readonly documented: readonly string[]
  readonly offset: number | undefined
  readonly readWhole: (row: Item) => Promise<Item>
}

export type RowCheck = ReturnType<typeof checkRows>

export function checkRows({ conditions, typedKeys, documented, offset = 0, readWhole }: Checking) {
  const needsDistinctIds = conditions.some(({ field }) => field === 'distinct_ids')
  const paths = new Set(documented)
  let unknown = typedKeys.filter(key => !isNamed(key, paths))
  let checked = 0
  let matched = 0
  let ignored = 0
  let waiting: Item[] = []

  async function matches(row: Item): Promise<boolean> {
    if (conditions.length === 0) return true
    const { value } = needsDistinctIds && holdsFirstIds(row.value) ? await readWhole(row) : row
    if (unknown.length > 0) {
      for (const path of pathsIn(value)) paths.add(path)
      unknown = unknown.filter(key => !isNamed(key, paths))
    }
    const unmet = isObject(value) ? conditions.filter(({ isMetBy }) => !isMetBy(value)) : conditions
    if (unmet.some(({ isServerChecked }) => isServerChecked)) ignored++
    return unmet.length === 0
  }

  function refuseUnknown(none: string): void {
    const [key] = unknown
    if (key === undefined) return
    const near = nearestPath(key, [...paths])
    throw new UsageError(`${none} the field ${key}${near === undefined ? '' : `; did you mean ${near}?`}`, {
      hint: 'Check the name in --where. To see all fields, list with -o json',
    })
  }

  return {
    /** Throws `UsageError` for a field that no row has. */
    async keep(rows: readonly Item[]): Promise<readonly Item[]> {
      for (const row of rows) {
        checked++
        if ((await matches(row)) && ++matched > offset) waiting.push(row)
      }
      // A field may be mistyped, so rows are held back until one has it.
      if (checked >= maxRowsWithoutField) refuseUnknown(`None of the first ${grouped(checked)} rows has`)
      if (unknown.length > 0) return []
      const ready = waiting
      waiting = []
      return ready
    },
    /** Call it after the last row. Throws `UsageError` for a field that is neither documented nor in a row. */
    end(): void {
      // Without rows, the fields of an undocumented response are unknown.
      if (checked + documented.length > 0) refuseUnknown('No row has')
    },
    ignoredWarning(): string | undefined {
      if (ignored === 0) return undefined
      const rows = countOf(ignored, 'row')
      return `Skipped ${rows} from the server that did not match: the server may ignore the filter`
    },
  }
}

const maxRowsWithoutField = 10_000

/** `now`: milliseconds of the service's clock; `-90d` counts from it. */
export function conditionOf(filter: Filter, now: number, isServerChecked: boolean): Condition {
  const { key } = filter
  const fits = matcherOf(filter, now)
  const [field = ''] = key.split('.')
  return {
    field,
    isServerChecked,
    isMetBy(record) {
      // If a key may not see the properties of persons, every person would match a negation.
      if (field === 'properties' && !isObject(record.properties)) return false
      return fits?.(valueAt(record, key)) === true
    },
  }
}

/** A list item has at most the first 1,000 distinct ids (`docs/servers.md`); the person has all. */
export function holdsFirstIds(person: Json, mostIds = 1000): boolean {
  const ids = valueAt(person, 'distinct_ids')
  return Array.isArray(ids) && ids.length >= mostIds
}

/** `a`, `a.b` and `a.b.c` may all be field names. */
function isNamed(key: string, fields: ReadonlySet<string>): boolean {
  const parts = key.split('.')
  return parts.some((_, i) => fields.has(parts.slice(0, i + 1).join('.')))
}
