/** How many requests a run sends, and how long they take at the rate in force: requests are what servers limit. */
import type { Connection } from '../context.ts'
import { lengthOf } from '../jobs/summary.ts'
import { countOf } from '../text/grouped.ts'
import { judgeChange, needsRecord, type Operation, writesOf } from './operation.ts'

interface Costing {
  readonly connection: Pick<Connection, 'client' | 'interval'>
  readonly operation: Operation
  readonly hasBackup: boolean
}

/** From the first write on, but for a handful of the whole run; not exact if the record of a target decides what is sent. */
export function countRequests({ connection: { client }, operation, hasBackup }: Costing, targets: number): number {
  const reads = (needsRecord(operation) || hasBackup ? 1 : 0) + (judgeChange(operation) ? 1 : 0)
  return targets * (reads + Math.max(1, writesOf(client, operation, '1').length))
}

/** `36 requests, 9 s at 4/s`; without a known rate only the count. */
export function describeCost(costing: Costing, targets: number): string {
  const { connection, operation } = costing
  const count = countRequests(costing, targets)
  const about = needsRecord(operation) ? 'about ' : ''
  const interval = connection.interval()
  const time = interval === undefined ? '' : `, ${lengthOf(count * interval)} at ${rateOf(interval)}`
  return `${about}${countOf(count, 'request', 'requests')}${time}`
}

function rateOf(interval: number): string {
  const units = [
    ['s', 1000],
    ['m', 60_000],
    ['h', 3_600_000],
  ] as const
  const [unit, length] = units.find(([, ms]) => ms >= interval) ?? units[2]
  return `${Number((length / interval).toFixed(1))}/${unit}`
}
