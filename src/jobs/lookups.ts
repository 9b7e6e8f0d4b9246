/**
 * Look-ups of a list that may take hours, kept as a job of their own until all are done: of the list its digest and the
 * numbers of its lines, and the ids found. What stands in the lines is not kept.
 */
import type { Host } from '../host.ts'
import { createJob, type NewJob } from './create-job.ts'
import { listJobs, removeJob } from './job.ts'
import { type LockedJob, lockJob } from './locked-job.ts'

export interface LookupPlan extends NewJob {
  /** What is looked up, and the SHA-256 of the list. */
  readonly lookup: string
}

export interface Lookups {
  /** The ids found before, by the place of their line among `lines`. */
  readonly found: ReadonlyMap<number, readonly string[]>
  record(place: number, ids: readonly string[]): void
  /** Keeps what was found, for the same list another time. */
  keep(): void
  /** Removes all of it: the targets are known now. */
  remove(): void
}

/** Goes on with earlier look-ups of the same list, or begins them. Throws `RefusedError` while another process does. */
export function openLookups(
  jobs: string,
  plan: LookupPlan,
  lines: readonly number[],
  host: Pick<Host, 'clock' | 'random' | 'processes'>,
): Lookups {
  const earlier = listJobs(jobs, () => undefined).find(
    ({ header }) =>
      header.lookup === plan.lookup && header.base === plan.base && header.path.project_id === plan.path.project_id,
  )
  const held: LockedJob = earlier
    ? lockJob(jobs, earlier.name, host)
    : createJob(jobs, plan, lines.map(String), null, host)
  return {
    found: held.job.state.found,
    record: (place, ids) => held.journal.note(['found', place, ids]),
    keep() {
      held.release()
      if (held.job.state.found.size === 0) removeJob(held.job)
    },
    remove() {
      held.release()
      removeJob(held.job)
    },
  }
}
