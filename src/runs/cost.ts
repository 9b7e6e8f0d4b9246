/** How many requests a run sends, and how long they take at the rate in force: requests are what servers limit. */
import { lengthOf } from '../jobs/summary.ts'
import { batchOf, faultFinder, needsRecord, writesOf } from '../operations/operation.ts'
import { countOf } from '../text/grouped.ts'
import { writeRate } from '../values/duration.ts'
import type { ResolvedRun } from './run.ts'

type Costing = Pick<ResolvedRun, 'connection' | 'operation' | 'backup'>

/** From the first write on, but for a handful of the whole run; not exact if the record of a target decides what is sent. */
export function countRequests(
  { connection: { client }, operation, backup }: Costing,
  targets: number,
  writes = Math.max(1, writesOf(client, operation, '1').length),
): number {
  const batch = batchOf(operation)
  // The first target goes alone.
  if (batch !== undefined) return Math.ceil((targets - 1) / batch) + 1 + (backup ? targets : 0)
  const reads = (needsRecord(operation) || backup ? 1 : 0) + (faultFinder(operation) ? 1 : 0)
  return Math.ceil(targets * (reads + writes))
}

/** `36 requests, 9 s at 4/s`; without a known rate only the count. `shown`: the writes of the first targets. */
export function describeCost(costing: Costing, targets: number, shown: readonly number[] = []): string {
  const { connection, operation } = costing
  const writes = shown.length > 0 ? shown.reduce((sum, one) => sum + one, 0) / shown.length : undefined
  const count = countRequests(costing, targets, writes)
  const about = needsRecord(operation) && shown.length < targets ? 'about ' : ''
  const interval = connection.interval()
  const time = interval === undefined ? '' : `, ${lengthOf(count * interval)} at ${writeRate(interval)}`
  return `${about}${countOf(count, 'request', 'requests')}${time}`
}
