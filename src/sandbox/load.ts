/** Filling a project of the sandbox with persons of an export. */
import { UsageError } from '../errors.ts'
import { decode, ExactNumber } from '../json/exact.ts'
import { type Item, Malformed } from '../json/item.ts'
import { timestamp } from './call.ts'
import { readMembers } from './members.ts'
import { addPerson, type NewPerson, removePerson } from './persons.ts'
import type { Store } from './store.ts'

/** Rows that go into the database at once: others may use it in between. */
const atOnce = 1000

export interface Loading {
  readonly store: Store
  /** The id of an existing project. */
  readonly project: string
  /** The sandbox's time, in ms. */
  readonly now: number
}

/**
 * Adds persons to a project and returns how many. A row is the JSON of a person as the service answers it, by `list` or
 * `get`; of its members only `distinct_ids` or `uuid` must be there. A person with the same UUID is replaced, and a
 * distinct id that another person has goes over to the new one. A number as `id` is kept where it is free.
 * Throws `UsageError` for a row that is no person; those before it may have been added.
 */
export async function load(loading: Loading, rows: Iterable<Item> | AsyncIterable<Item>): Promise<number> {
  let count = 0
  let waiting: Row[] = []
  const flush = () => {
    const batch = waiting
    waiting = []
    loading.store.write(() => {
      for (const row of batch) put(loading, row)
    })
    count += batch.length
  }
  for await (const item of rows) {
    waiting.push(rowOf(item, count + waiting.length + 1))
    if (waiting.length >= atOnce) flush()
  }
  flush()
  return count
}

interface Row {
  readonly id: string | undefined
  readonly uuid: string | undefined
  readonly createdAt: string | undefined
  readonly distinctIds: readonly string[]
  readonly properties: string
}

const uuidForm = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

function rowOf(item: Item, number: number): Row {
  const value = objectOf(item, number)
  const { id, uuid = id, created_at: createdAt, distinct_ids: distinctIds = [], properties = {} } = value
  const wrong = (what: string) => new UsageError(`Row ${number} is not a person: ${what}`)
  if (!Array.isArray(distinctIds) || !distinctIds.every(one => typeof one === 'string')) {
    throw wrong('distinct_ids must be a list of strings')
  }
  if (typeof properties !== 'object' || Array.isArray(properties) || properties instanceof ExactNumber) {
    throw wrong('properties must be an object')
  }
  const own = typeof uuid === 'string' && uuidForm.test(uuid) ? uuid.toLowerCase() : undefined
  if (own === undefined && distinctIds.length === 0) throw wrong('it has neither a uuid nor distinct_ids')
  return {
    // Small enough to leave room for those that come after it.
    id: typeof id === 'number' && Number.isInteger(id) && id > 0 && id < 1e15 ? String(id) : undefined,
    uuid: own,
    createdAt: typeof createdAt === 'string' && !Number.isNaN(Date.parse(createdAt)) ? createdAt : undefined,
    distinctIds: [...new Set(distinctIds)],
    properties: properties === null ? '{}' : (readMembers(item.toString()).get('properties') ?? '{}'),
  }
}

function objectOf(item: Item, number: number): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = decode(item)
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    throw new UsageError(`Row ${number} is not a person: ${error.reason}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`Row ${number} is not a person: it is not an object`)
  }
  return value as Record<string, unknown>
}

function put({ store, project, now }: Loading, { id, uuid, createdAt, distinctIds, properties }: Row): void {
  const former = uuid === undefined ? undefined : idOf(store, 'project = ? AND uuid = ?', project, uuid)
  if (former !== undefined) removePerson(store, former)
  for (const distinctId of distinctIds) release(store, project, distinctId)
  const wanted = id ?? former
  const person: NewPerson = {
    id: wanted !== undefined && idOf(store, 'id = ?', wanted) === undefined ? wanted : undefined,
    uuid,
    createdAt: createdAt ?? timestamp(now),
    distinctIds,
    properties,
  }
  addPerson(store, project, person)
}

function idOf(store: Store, condition: string, ...cells: string[]): string | undefined {
  return store.get<{ id: string }>(`SELECT CAST(id AS TEXT) AS id FROM persons WHERE ${condition}`, ...cells)?.id
}

/** Takes a distinct id from whoever has it. */
function release(store: Store, project: string, distinctId: string): void {
  const json = JSON.stringify(distinctId)
  const holder = store.get<{ id: string; distinct_ids: string }>(
    `SELECT CAST(id AS TEXT) AS id, distinct_ids FROM persons
     WHERE id = (SELECT person FROM distinct_ids WHERE distinct_ids.project = ? AND distinct_id = ?)`,
    project,
    json,
  )
  if (!holder) return
  const left = (JSON.parse(holder.distinct_ids) as string[]).filter(one => one !== distinctId)
  store.run('DELETE FROM distinct_ids WHERE project = ? AND distinct_id = ?', project, json)
  store.run('UPDATE persons SET distinct_ids = ? WHERE id = ?', JSON.stringify(left), holder.id)
}
