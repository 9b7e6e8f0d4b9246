/** Reads the response of `bulk_delete`, in which newer servers send counts (`docs/servers.md`). */
import { isObject, isText, type Json, type JsonObject } from '../../json/exact.ts'
import { canonicalId } from './record-identity.ts'

type BulkCounts = NonNullable<ReturnType<typeof bulkCountsIn>>

/** Undefined if a known member has the wrong type. */
export function bulkCountsIn(value: Json) {
  if (!isObject(value)) return undefined
  const members: JsonObject = Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
  const { persons_found, persons_deleted, persons_queued_for_deletion, events_queued_for_deletion } = members
  const { deletion_errors = [], ids_not_found = [] } = members
  if (!isCount(persons_found) || !isQueued(persons_deleted)) return undefined
  if (!isQueued(persons_queued_for_deletion) || !isQueued(events_queued_for_deletion)) return undefined
  if (!isListOf(deletion_errors, isObject) || !isListOf(ids_not_found, isText)) return undefined
  const queued = { persons_deleted, persons_queued_for_deletion, events_queued_for_deletion }
  return { persons_found, ...queued, deletion_errors, ids_not_found }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function isQueued(value: unknown): value is number | boolean | undefined {
  return value === undefined || typeof value === 'boolean' || isCount(value)
}

function isListOf<T>(value: unknown, isOne: (one: unknown) => one is T): value is readonly T[] {
  return Array.isArray(value) && value.every(isOne)
}

type Verdict = 'deleted' | 'failed' | 'missing' | 'unknown'

export function queuesUnasked(counts: BulkCounts | undefined, deletesEvents: boolean): boolean {
  return !deletesEvents && Number(counts?.events_queued_for_deletion ?? 0) > 0
}

/** `deletion_errors` name a person by `person_uuid` or `person_id`. `ids`: as they were sent. `counts`: undefined for an empty response, which accepts all. */
export function verdictsOf(
  ids: readonly string[],
  counts: BulkCounts | undefined,
  deletesEvents: boolean,
): ReadonlyMap<string, Verdict> {
  if (!counts) return new Map(ids.map(id => [id, 'deleted']))
  const sent = new Set(ids.map(canonicalId))
  const failed = new Set(
    counts.deletion_errors.map(({ person_uuid, person_id }) => canonicalId(String(person_uuid ?? person_id))),
  )
  const missing = new Set(counts.ids_not_found.map(canonicalId))
  const isClear = [...failed, ...missing].every(id => sent.has(id)) && ![...failed].some(id => missing.has(id))
  const done = sent.size - failed.size - missing.size
  const addsUp = isClear && counts.persons_found === sent.size - missing.size && areDone(counts, done, deletesEvents)
  const verdictOf = (id: string): Verdict => {
    if (failed.has(id)) return 'failed'
    if (missing.has(id)) return 'missing'
    return addsUp ? 'deleted' : 'unknown'
  }
  return new Map(ids.map(id => [id, verdictOf(canonicalId(id))]))
}

function areDone(counts: BulkCounts, done: number, deletesEvents: boolean): boolean {
  const { persons_deleted: deleted, persons_queued_for_deletion: queued, events_queued_for_deletion: events } = counts
  const areAll = (count: number | boolean | undefined) => count === true || count === done
  const areEvents = events === true || Number(events ?? 0) >= done
  const isSum = typeof deleted === 'number' && typeof queued === 'number' && deleted + queued === done
  return (areAll(deleted) || areAll(queued) || isSum) && (!deletesEvents || areEvents)
}
