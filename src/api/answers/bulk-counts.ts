/** The answer of `bulk_delete`, which newer servers fill with counts (`docs/servers.md`). */
import { isObject, isText, type Json, type JsonObject } from '../../json/exact.ts'

/** `deletion_errors` name a person by `person_uuid` or `person_id`. */
export interface BulkCounts {
  readonly persons_found: number
  readonly persons_deleted: Queued | undefined
  readonly persons_queued_for_deletion: Queued | undefined
  readonly events_queued_for_deletion: Queued | undefined
  readonly deletion_errors: readonly JsonObject[]
  readonly ids_not_found: readonly string[] | undefined
}

/** Some servers do not count what they queue. */
type Queued = number | boolean

/** Undefined unless each member that is known has its type. Servers may add others. */
export function bulkCountsIn(value: Json): BulkCounts | undefined {
  if (!isObject(value)) return undefined
  const given: JsonObject = Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
  const { persons_found, persons_deleted, persons_queued_for_deletion, events_queued_for_deletion } = given
  const { deletion_errors = [], ids_not_found } = given
  if (!isCount(persons_found) || !isQueued(persons_deleted)) return undefined
  if (!isQueued(persons_queued_for_deletion) || !isQueued(events_queued_for_deletion)) return undefined
  if (!isListOf(deletion_errors, isObject)) return undefined
  if (ids_not_found !== undefined && !isListOf(ids_not_found, isText)) return undefined
  const queued = { persons_deleted, persons_queued_for_deletion, events_queued_for_deletion }
  return { persons_found, ...queued, deletion_errors, ids_not_found }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function isQueued(value: unknown): value is Queued | undefined {
  return value === undefined || typeof value === 'boolean' || isCount(value)
}

function isListOf<T>(value: unknown, isOne: (one: unknown) => one is T): value is readonly T[] {
  return Array.isArray(value) && value.every(isOne)
}
