/** What an answer of `bulk_delete` tells about each person that was named. */
import type { BulkCounts } from '../../api/answers/bulk-counts.ts'
import { canonicalId } from '../../api/answers/record-identity.ts'

type Verdict = 'deleted' | 'failed' | 'missing' | 'unknown'

/** True if the service queued events that nobody asked to delete. */
export function queuesUnasked(counts: BulkCounts | undefined, deletesEvents: boolean): boolean {
  return !deletesEvents && Number(counts?.events_queued_for_deletion ?? 0) > 0
}

/** `ids`: as they were sent. `counts`: undefined for an empty answer, which accepts all. */
export function verdictsOf(
  ids: readonly string[],
  counts: BulkCounts | undefined,
  deletesEvents: boolean,
): ReadonlyMap<string, Verdict> {
  if (!counts) return new Map(ids.map(id => [id, 'deleted']))
  const sent = new Set(ids.map(canonicalId))
  const failed = new Set(counts.deletion_errors.map(({ person_uuid, person_id }) => idIn(person_uuid ?? person_id)))
  const missing = new Set(counts.ids_not_found?.map(canonicalId))
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

/** `true` stands for all of them. */
function areDone(counts: BulkCounts, done: number, deletesEvents: boolean): boolean {
  const { persons_deleted: deleted, persons_queued_for_deletion: queued, events_queued_for_deletion: events } = counts
  const areAll = (count: number | boolean | undefined) => count === true || count === done
  const areEvents = events === true || Number(events ?? 0) >= done
  const isSum = typeof deleted === 'number' && typeof queued === 'number' && deleted + queued === done
  return (areAll(deleted) || areAll(queued) || isSum) && (!deletesEvents || areEvents)
}

function idIn(id: unknown): string {
  return canonicalId(String(id))
}
