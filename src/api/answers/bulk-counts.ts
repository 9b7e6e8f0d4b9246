/** The answer of `bulk_delete`, which newer servers fill with counts (`docs/servers.md`). */
import { arrayOf, isCount, isFlag, isText, optionalOf } from '../../json/checks.ts'
import { isObject, type Json, type JsonObject } from '../../json/exact.ts'

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

const isQueued = optionalOf((value: unknown): value is Queued => isFlag(value) || isCount(value))

/** Undefined unless each member that is known has its type. Servers may add others. */
export function bulkCountsIn(value: Json): BulkCounts | undefined {
  if (!isObject(value)) return undefined
  const given: JsonObject = Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
  const { persons_found, persons_deleted, persons_queued_for_deletion, events_queued_for_deletion } = given
  const { deletion_errors = [], ids_not_found } = given
  if (!isCount(persons_found) || !isQueued(persons_deleted)) return undefined
  if (!isQueued(persons_queued_for_deletion) || !isQueued(events_queued_for_deletion)) return undefined
  if (!arrayOf(isObject)(deletion_errors) || !optionalOf(arrayOf(isText))(ids_not_found)) return undefined
  const queued = { persons_deleted, persons_queued_for_deletion, events_queued_for_deletion }
  return { persons_found, ...queued, deletion_errors, ids_not_found }
}
