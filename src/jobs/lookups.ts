/** Keeps look-ups that may take hours as a job. It holds the digest of the list and the ids found, never the lines. */
import { RefusedError } from '../errors.ts'
import type { Host } from '../host.ts'
import { createJob, type NewJob } from './create-job.ts'
import { type ListedJob, removeJob } from './job.ts'
import type { FoundLine } from './journal/entry.ts'
import { listJobs } from './list-jobs.ts'
import { type LockedJob, lockJob } from './locked-job.ts'

interface LookupPlan extends NewJob {
  readonly lookup: string
}

export interface Lookups {
  /** What was found before, by the index of the line in `lines`. */
  readonly found: ReadonlyMap<number, FoundLine>
  /** When the first of them was begun, as an ISO date-time. */
  readonly begun: string
  record(index: number, found: FoundLine): void
  /**
   * Keeps them for whoever gives the same list again, but not after a refusal, which asks people to put the data right;
   * false where nothing is kept. Nothing after `stop` or `remove` has an effect.
   */
  stop(error: unknown): boolean
  /** Once the run itself is kept, or will not be. */
  remove(): void
}

type LookupHost = Pick<Host, 'clock' | 'random' | 'processes'>

/** Persons may get other e-mails, so look-ups that were begun more than a week ago begin anew. */
const longestKept = 7 * 24 * 60 * 60 * 1000

/** Continues earlier look-ups of the same list, or begins them. Throws `RefusedError` while another process does. */
export function openLookups(jobs: string, plan: LookupPlan, lines: readonly number[], host: LookupHost): Lookups {
  const earlier = listJobs(jobs, () => undefined).find(
    ({ header }) =>
      header.lookup === plan.lookup && header.base === plan.base && header.path.project_id === plan.path.project_id,
  )
  const held = (earlier && goOn(jobs, earlier, host)) ?? createJob(jobs, plan, lines.map(String), null, host)
  let isHeld = true
  const end = (mayKeep: boolean): boolean => {
    if (!isHeld) return false
    isHeld = false
    held.release()
    const isKept = mayKeep && held.job.state.found.size > 0
    if (!isKept) removeJob(held.job)
    return isKept
  }
  return {
    found: held.job.state.found,
    begun: held.job.header.created_at,
    record: (index, found) => held.journal.note(['found', index, found]),
    stop: error => end(!(error instanceof RefusedError)),
    remove: () => void end(false),
  }
}

/** Undefined for look-ups that are too old, or of a time to come. */
function goOn(jobs: string, { name, header }: ListedJob, host: LookupHost): LockedJob | undefined {
  const held = lockJob(jobs, name, host)
  if (Math.abs(host.clock.now() - Date.parse(header.created_at)) <= longestKept) return held
  held.release()
  removeJob(held.job)
  return undefined
}
