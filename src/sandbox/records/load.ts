import { UsageError } from '../../errors.ts'
import { decodeGiven, isObject } from '../../json/exact.ts'
import { Malformed } from '../../json/malformed.ts'
import { grouped } from '../../text/grouped.ts'
import { isUuid } from '../../values/ids.ts'
import { instantOf } from '../../values/instant.ts'
import { timestamp } from '../call.ts'
import { readMembers } from '../members.ts'
import type { Store } from '../store/store.ts'
import { addPerson, removePerson } from './persons.ts'

/** Other processes can use the database between two transactions. */
const batchSize = 1000

interface LoadOptions {
  readonly store: Store
  readonly project: string
  readonly now: number
}

export interface Loaded {
  readonly persons: number
  /** Number of other persons who had one of the ids and were removed. */
  readonly removed: number
  /** Number of loaded persons whose id differs from the export. */
  readonly renumbered: number
}

/** Other persons with the same UUID or id are removed first. The `UsageError` for a row says how many are loaded. */
export async function load(loading: LoadOptions, rows: Iterable<string> | AsyncIterable<string>): Promise<Loaded> {
  const loaded = { persons: 0, removed: 0, renumbered: 0 }
  let waiting: Row[] = []
  const flush = () => {
    const batch = waiting
    waiting = []
    loading.store.write(() => {
      for (const row of batch) {
        if (putPerson(loading, row)) loaded.removed++
        if (row.hasUnfitId) loaded.renumbered++
      }
    })
    loaded.persons += batch.length
  }
  try {
    for await (const item of rows) {
      waiting.push(rowOf(item, loaded.persons + waiting.length + 1))
      if (waiting.length >= batchSize) flush()
    }
  } catch (error) {
    if (!(error instanceof UsageError) || loaded.persons === 0) throw error
    throw error.with({ hint: `The first ${grouped(loaded.persons)} are loaded` })
  }
  flush()
  return loaded
}

/** Throws the same errors as `load`, and writes nothing. */
export async function countRows(rows: AsyncIterable<string>): Promise<number> {
  let count = 0
  for await (const row of rows) rowOf(row, ++count)
  return count
}

interface Row {
  readonly id: string | undefined
  readonly hasUnfitId: boolean
  readonly uuid: string | undefined
  readonly createdAt: string | undefined
  readonly distinctIds: readonly string[]
  readonly properties: string
}

function rowOf(text: string, number: number): Row {
  const value = objectOf(text, number)
  const { id, uuid = id, created_at: createdAt = null, distinct_ids: distinctIds = [], properties = {} } = value
  const wrong = (what: string) => new UsageError(`Row ${number} is not a person: ${what}`)
  if (!Array.isArray(distinctIds) || !distinctIds.every(one => typeof one === 'string')) {
    throw wrong('distinct_ids must be a list of strings')
  }
  if (properties !== null && !isObject(properties)) throw wrong('properties must be an object')
  if (createdAt !== null && (typeof createdAt !== 'string' || Number.isNaN(Date.parse(createdAt)))) {
    throw wrong('created_at must be a date')
  }
  const own = typeof uuid === 'string' && isUuid(uuid) ? uuid.toLowerCase() : undefined
  if (own === undefined && distinctIds.length === 0) throw wrong('it has neither a uuid nor distinct_ids')
  const isUsable = typeof id === 'number' && Number.isInteger(id) && id > 0 && id < 1e15
  return {
    id: isUsable ? String(id) : undefined,
    hasUnfitId: !isUsable && id !== undefined && id !== null && !(typeof id === 'string' && isUuid(id)),
    uuid: own,
    createdAt: createdAt === null ? undefined : inUtc(createdAt),
    distinctIds: [...new Set(distinctIds)],
    properties: properties === null ? '{}' : (readMembers(text).get('properties') ?? '{}'),
  }
}

/** Lists are in the order of these texts. Years beyond 9999, which would break it, stay as they are. */
function inUtc(time: string): string {
  if (time.endsWith('Z')) return time
  const utc = new Date(instantOf(time) ?? time).toISOString()
  const fraction = /\.\d+/.exec(time)?.[0] ?? ''
  return /^\d{4}-/.test(utc) ? `${utc.slice(0, 19)}${fraction}Z` : time
}

function objectOf(text: string, number: number): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = decodeGiven(text, `Row ${number}: `)
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    throw new UsageError(`Row ${number} is not a person: ${error.reason}`)
  }
  if (!isObject(value)) throw new UsageError(`Row ${number} is not a person: it is not an object`)
  return value
}

/** Returns true if another person had the id. */
function putPerson(
  { store, project, now }: LoadOptions,
  { id, uuid, createdAt, distinctIds, properties }: Row,
): boolean {
  const find = (where: string, ...cells: string[]) =>
    store.get<{ id: string }>(`SELECT CAST(id AS TEXT) AS id FROM persons WHERE ${where}`, ...cells)?.id
  const former = uuid === undefined ? undefined : find('project = ? AND uuid = ?', project, uuid)
  const taken = id === undefined ? undefined : find('id = ?', id)
  for (const one of [former, taken]) if (one !== undefined) removePerson(store, one)
  addPerson(store, project, {
    id: id ?? former,
    uuid,
    createdAt: createdAt ?? timestamp(now),
    distinctIds,
    properties,
  })
  return taken !== undefined && taken !== former
}
