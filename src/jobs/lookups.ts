/** Keeps look-ups that may take hours as a job. It holds the digest of the list and the ids found, never the lines. */
import type { Host } from '../host.ts'
import { createJob, type NewJob } from './create-job.ts'
import { listJobs, removeJob } from './job.ts'
import { type LockedJob, lockJob } from './locked-job.ts'

export interface LookupPlan extends NewJob {
  readonly lookup: string
}

export interface Lookups {
  /** Ids found before, by the index of their line in `lines`. */
  readonly found: ReadonlyMap<number, readonly string[]>
  record(place: number, ids: readonly string[]): void
  keep(): void
  /** Removes the job when all targets are known. */
  remove(): void
}

/** Continues earlier look-ups of the same list, or begins them. Throws `RefusedError` while another process does. */
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
