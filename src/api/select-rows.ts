import type { Unheld } from '../filters/excluded.ts'
import { type Filter, fixTimes } from '../filters/filter.ts'
import { likelyCause, sampleSize } from '../filters/likely-cause.ts'
import { createRecordFilter, type RecordFilter } from '../filters/record-filter.ts'
import { type Json, valueAt } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import type { Collection } from '../values/ids.ts'
import { idOf } from './answers/record-identity.ts'
import type { Client, RecordEndpoint } from './client.ts'
import { type Endpoint, eventDefinitions, persons, plugins, projects } from './endpoints.ts'
import type { List, Seen } from './pages.ts'

interface Selected extends List {
  looked(): number
  /** What negative filters exclude, and no row that was read has. */
  unheld(): readonly Unheld[]
  isWhole(): boolean
  /** Why nothing matched; undefined if the first rows do not tell. */
  likelyCause(): string | undefined
}

export interface RowSource {
  readonly documented: readonly string[]
  /** Reads the record of a row that lacks a documented field of a filter, or a part of it. */
  readonly readRecord?: (item: Item) => Promise<Item> | undefined
}

const records = new Map<Endpoint, readonly [read: RecordEndpoint, collection: Collection]>([
  [persons.list, [persons.get, 'persons']],
  [eventDefinitions.list, [eventDefinitions.get, 'event_definitions']],
  [plugins.list, [plugins.get, 'plugins']],
  [projects.list, [projects.get, 'projects']],
])

export function rowSource(client: Client, endpoint: Endpoint, path: object, filters: readonly Filter[]): RowSource {
  const { returns } = endpoint
  const [read, collection] = records.get(endpoint) ?? []
  if (!read || !collection) return { documented: 'of' in returns ? Object.keys(returns.of.fields) : [] }
  const { fields } = read.returns.of
  const asked = [...new Set(filters.map(({ key }) => key.split('.')[0] ?? ''))].filter(key =>
    Object.hasOwn(fields, key),
  )
  const asksIds = collection === 'persons' && asked.includes('distinct_ids')
  const lacksFields = ({ value }: Item) =>
    asked.some(key => valueAt(value, key) === undefined) || (asksIds && holdsFirstIds(value))
  const recordOf = async (item: Item) => client.record(read, { path: { ...path, id: idOf(item.value, collection) } })
  return { documented: Object.keys(fields), readRecord: item => (lacksFields(item) ? recordOf(item) : undefined) }
}

/** A list item holds the first 1,000 distinct ids (`docs/servers.md`); the person holds all. */
export function holdsFirstIds(person: Json): boolean {
  const ids = valueAt(person, 'distinct_ids')
  return Array.isArray(ids) && ids.length >= 1000
}

interface Selecting {
  readonly filters: readonly Filter[]
  readonly source: RowSource
  /** Milliseconds of the service's clock; `-90d` counts from it. */
  readonly now: number
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

/** Reads on until enough rows match. Throws `UsageError` for a field that is neither documented nor in a row. */
export function selectRows(rows: List, { filters, source, now, limit, offset = 0 }: Selecting): Selected {
  const fixed = filters.map(filter => fixTimes(filter, now))
  const filter = createRecordFilter(fixed, source.documented)
  const most = limit ?? Number.POSITIVE_INFINITY
  let looked = 0
  let matched = 0
  let given = 0
  let isCut = false
  let isWhole = false
  const sample: Json[] = []

  async function* batches(): AsyncGenerator<readonly Item[]> {
    // A field may be mistyped, so rows are held back until one has it.
    let waiting: Item[] = []
    for await (const batch of rows.batches) {
      const found: Item[] = []
      for (const [item, record, isMatch] of await matchedIn(batch, filter, source)) {
        looked++
        if (sample.length < sampleSize) sample.push(record.value)
        if (!isMatch || ++matched <= offset) continue
        if (given + waiting.length + found.length < most) found.push(item)
        else isCut = true
      }
      if (filter.isKnown()) {
        const ready = [...waiting, ...found]
        waiting = []
        given += ready.length
        if (ready.length > 0) yield ready
        if (given >= most) return
      } else {
        if (looked >= mostUnknown) throw filter.unknownField(looked)
        waiting.push(...found)
      }
    }
    // Without rows, the fields of an undocumented answer are unknown.
    const canBeKnown = looked > 0 || source.documented.length > 0
    if (!filter.isKnown() && canBeKnown) throw filter.unknownField()
    isWhole = looked > 0
  }

  return {
    batches: batches(),
    looked: () => looked,
    unheld: filter.unheld,
    isWhole: () => isWhole,
    likelyCause: () => likelyCause(fixed, sample),
    seen(): Seen {
      const more = isCut || (given >= most && rows.seen().more)
      return { rows: given, count: more ? undefined : matched, isCapped: false, more }
    },
  }
}

/** After this many rows without a field, its name counts as a typing error. */
const mostUnknown = 10_000

const together = 8

type Matched = readonly [row: Item, record: Item, isMatch: boolean]

async function matchedIn(batch: readonly Item[], filter: RecordFilter, source: RowSource): Promise<Matched[]> {
  const matched: Matched[] = []
  for (let i = 0; i < batch.length; i += together) {
    const part = batch.slice(i, i + together)
    const reading = part.map(item => source.readRecord?.(item))
    const records = reading.some(Boolean) ? await Promise.all(reading) : []
    for (const [n, item] of part.entries()) {
      const record = records[n] ?? item
      filter.look(record.value)
      matched.push([item, record, filter.matches(record.value)])
    }
  }
  return matched
}
