/** What an answer of `bulk_delete` tells about each person that was named. */
import { type Answer, unexpectedAnswer } from '../../api/answers/answer.ts'
import { type BulkCounts, bulkCountsIn } from '../../api/answers/bulk-counts.ts'
import { canonicalId } from '../../api/answers/record-identity.ts'
import type { Request } from '../../http/message.ts'
import type { JsonObject } from '../../json/exact.ts'

interface Told {
  /** Named in `deletion_errors`. */
  readonly failed: ReadonlySet<string>
  /** Only reading them tells whether they are gone. */
  readonly doubtful: ReadonlySet<string>
  /** How many of the doubtful ones were found: these may be there until the service has deleted them. */
  readonly found: number
  /** An error names nobody who was sent, so whoever is there may be the one. */
  readonly isUnnamed: boolean
}

type FindUuid = (id: number) => Promise<string | undefined>

const nothing: ReadonlySet<string> = new Set()

/** Throws `RejectedError` for counts that cannot be those of so many persons. */
export function countsFor(request: Request, { item, status }: Answer, sent: number): BulkCounts | undefined {
  const counts = item && bulkCountsIn(item.value)
  if (!counts || counts.persons_found <= sent) return counts
  throw unexpectedAnswer(request, `${counts.persons_found} persons found, where ${sent} were named`, { status })
}

/** `sent`: canonical ids. `counts`: undefined for an empty answer, which accepts all. `findUuid` reads a person by number. */
export async function toldBy(
  counts: BulkCounts | undefined,
  sent: ReadonlySet<string>,
  findUuid: FindUuid,
): Promise<Told> {
  if (!counts) return { failed: nothing, doubtful: nothing, found: 0, isUnnamed: false }
  const failed = new Set<string>()
  let isUnnamed = false
  for (const error of counts.deletion_errors) {
    const uuid = await uuidIn(error, findUuid)
    if (uuid !== undefined && sent.has(uuid)) failed.add(uuid)
    else isUnnamed = true
  }
  const others = [...sent].filter(id => !failed.has(id))
  const found = isUnnamed ? 0 : Math.min(counts.persons_found, accounted(counts))
  if (found >= sent.size) return { failed, doubtful: nothing, found: 0, isUnnamed }
  const missing = new Set(counts.ids_not_found?.map(canonicalId))
  const areAllTold = found + missing.size === sent.size && [...missing].every(id => sent.has(id) && !failed.has(id))
  const doubtful = new Set(others.filter(id => !areAllTold || missing.has(id)))
  return { failed, doubtful, found: found - failed.size - (others.length - doubtful.size), isUnnamed }
}

/** Infinite where the service does not count what it deletes and what it queues. */
function accounted({ persons_deleted, persons_queued_for_deletion, deletion_errors }: BulkCounts): number {
  const isCounted = typeof persons_deleted === 'number' && typeof persons_queued_for_deletion === 'number'
  return isCounted ? persons_deleted + persons_queued_for_deletion + deletion_errors.length : Number.POSITIVE_INFINITY
}

async function uuidIn({ person_uuid, person_id }: JsonObject, findUuid: FindUuid): Promise<string | undefined> {
  if (typeof person_uuid === 'string') return canonicalId(person_uuid)
  if (typeof person_id === 'string') return canonicalId(person_id)
  const uuid = Number.isSafeInteger(person_id) ? await findUuid(Number(person_id)) : undefined
  return uuid && canonicalId(uuid)
}
