/** Checks each row of a list against the filters that chose it, whatever the service did with them. */
import { UsageError } from '../errors.ts'
import { isObject, type Json, type JsonObject, valueAt } from '../json/exact.ts'
import { nearestPath, pathsIn } from '../json/nearest-path.ts'
import type { Item } from '../json/read-item.ts'
import { countOf, grouped } from '../text/grouped.ts'
import { type Filter, resolveTimes } from './filter.ts'
import { matcherOf } from './match.ts'

export interface Condition {
  readonly field: string
  /** It was sent to the server, so a row that does not meet it shows that the server may ignore the filter. */
  readonly isServerChecked: boolean
  isMetBy(record: JsonObject<Json>): boolean
}

interface Checking {
  readonly conditions?: readonly Condition[]
  readonly where: readonly Filter[]
  /** Whether a filter of `where` is sent to the server. */
  readonly isServerChecked?: (filter: Filter) => boolean
  /** These are sent to the server as they are. */
  readonly given?: readonly Filter[] | undefined
  readonly documented: readonly string[]
  /** Milliseconds of the service's clock; `-90d` counts from it. */
  readonly now: number
  readonly offset?: number | undefined
  /** Reads the person of a row that holds only the first of the distinct ids. */
  readonly readWhole?: (row: Item) => Promise<Item>
}

export interface RowCheck {
  /** Returns the rows that match. Throws `UsageError` for a field that no row has. */
  keep(rows: readonly Item[]): Promise<readonly Item[]>
  /** After the last row. Throws `UsageError` for a field that is neither documented nor in a row. */
  end(): void
  /** A warning with the number of rows that the server should not have sent; undefined if there are none. */
  ignored(): string | undefined
  looked(): number
  /** Rows that match, those that `offset` skips too. */
  matched(): number
}

export function checkRows({ conditions = [], where, given = [], documented, now, ...how }: Checking): RowCheck {
  const { offset = 0, readWhole, isServerChecked = () => false } = how
  const all = [
    ...conditions,
    ...where.map(filter => conditionOf(resolveTimes(filter, now), isServerChecked(filter))),
    ...given.map(filter => conditionOf(resolveTimes(filter, now), true)),
  ]
  const asksDistinctIds = all.some(({ field }) => field === 'distinct_ids')
  const names = createNames(where, documented)
  let looked = 0
  let matched = 0
  let ignored = 0
  let waiting: Item[] = []

  async function matches(row: Item): Promise<boolean> {
    if (all.length === 0) return true
    const { value } = asksDistinctIds && readWhole && holdsFirstIds(row.value) ? await readWhole(row) : row
    names.see(value)
    const unmet = isObject(value) ? all.filter(({ isMetBy }) => !isMetBy(value)) : all
    if (unmet.some(({ isServerChecked }) => isServerChecked)) ignored++
    return unmet.length === 0
  }

  return {
    async keep(rows) {
      for (const row of rows) {
        looked++
        if ((await matches(row)) && ++matched > offset) waiting.push(row)
      }
      // A field may be mistyped, so rows are held back until one has it.
      if (!names.areKnown()) {
        if (looked >= mostUnknown) throw names.problem(`None of the first ${grouped(looked)} rows has`)
        return []
      }
      const ready = waiting
      waiting = []
      return ready
    },
    end() {
      // Without rows, the fields of an answer that is not documented are unknown.
      if (!names.areKnown() && looked + documented.length > 0) throw names.problem('No row has')
    },
    ignored() {
      if (ignored === 0) return undefined
      const [does, is] = ignored === 1 ? ['does', 'is'] : ['do', 'are']
      const rows = countOf(ignored, 'row', 'rows')
      return `${rows} from the server ${does} not match the filter and ${is} skipped: the server may ignore the filter`
    },
    looked: () => looked,
    matched: () => matched,
  }
}

/** After this many rows without a field, its name counts as a typing error. */
const mostUnknown = 10_000

function conditionOf(filter: Filter, isServerChecked: boolean): Condition {
  const { key } = filter
  const fits = matcherOf(filter)
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

/** A list item holds the first 1,000 distinct ids (`docs/servers.md`); the person holds all. */
export function holdsFirstIds(person: Json, mostIds = 1000): boolean {
  const ids = valueAt(person, 'distinct_ids')
  return Array.isArray(ids) && ids.length >= mostIds
}

function createNames(where: readonly Filter[], documented: readonly string[]) {
  const paths = new Set(documented)
  let unknown = where.map(({ key }) => key).filter(key => !isNamed(key, paths))
  return {
    see(record: Json) {
      if (unknown.length === 0) return
      for (const path of pathsIn(record)) paths.add(path)
      unknown = unknown.filter(key => !isNamed(key, paths))
    },
    areKnown: () => unknown.length === 0,
    problem(none: string) {
      const [key = ''] = unknown
      const near = nearestPath(key, [...paths])
      return new UsageError(`${none} a field ${key}${near === undefined ? '' : `; did you mean ${near}?`}`, {
        hint: 'Check the name in --where; the fields are those of -o json',
      })
    },
  }
}

/** `a`, `a.b` and `a.b.c` may all be field names. */
function isNamed(key: string, fields: ReadonlySet<string>): boolean {
  const parts = key.split('.')
  return parts.some((_, i) => fields.has(parts.slice(0, i + 1).join('.')))
}
