import { grouped } from '../text/grouped.ts'
import { writeRate } from '../values/duration.ts'
import { type Counts, describeFailure, type Outcome, statuses } from './outcome.ts'

/**
 * `Deleted 97 of 100 persons, 2 not found, 1 failed (12 s, 8/s)`; after a resume `(40 in 5 s, 8/s)`. Without a
 * rate for one target, and without a time below a second.
 */
export function summaryOf(
  verb: string,
  counted: (count: number) => string,
  { deleted, updated, gone, failed, left, uncertain }: Counts & { readonly uncertain: number },
  { ms, worked }: { readonly ms: number; readonly worked: number },
): string {
  const done = deleted + updated
  const total = done + gone + failed + left
  const parts = [
    done === total ? `${verb} ${counted(total)}` : `${verb} ${grouped(done)} of ${counted(total)}`,
    ...(gone > 0 ? [`${grouped(gone)} not found`] : []),
    ...(failed > 0 ? [`${grouped(failed)} failed`] : []),
    ...(left > 0 ? [`${grouped(left)} pending`] : []),
    ...(uncertain > 0 ? [`${grouped(uncertain)} of them may be done`] : []),
  ]
  // A resume works only on targets that were left.
  const isPart = worked < done + gone + failed
  if (ms < 1000) return `${parts.join(', ')}${isPart ? ` (${grouped(worked)} of them now)` : ''}`
  const rate = worked > 1 ? `, ${writeRate(ms / worked)}` : ''
  return `${parts.join(', ')} (${isPart ? `${grouped(worked)} in ` : ''}${lengthOf(ms)}${rate})`
}

export type FailedTarget = readonly [id: string, Extract<Outcome, { status: 'failed' }>]

export function tableOf(counts: Counts, failures: readonly FailedTarget[]): string[] {
  const rows = [...statuses, 'left' as const].flatMap(status =>
    counts[status] > 0 ? [`${status.padEnd(8)} ${grouped(counts[status])}`] : [],
  )
  const lines = failures.map(([id, outcome]) => `${id}  ${describeFailure(outcome)}`)
  return [...rows, ...(lines.length > 0 ? ['', ...lines] : [])]
}

/** Returns `40 s`, `12 min` or `3 h 20 min`. */
export function lengthOf(ms: number): string {
  // The clock may have been set back.
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
