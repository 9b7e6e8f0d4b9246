/** Keeps look-ups that may take hours as a job. It holds the digest of the list and the ids found, never the lines. */
import { RefusedError } from '../errors.ts'
import type { Clock, Host } from '../host.ts'
import { createJob, type NewJob } from './create-job.ts'
import { type Job, removeJob } from './job.ts'
import type { FoundEntry, FoundLine } from './journal/entry.ts'
import { listJobs } from './list-jobs.ts'
import { lockJob } from './locked-job.ts'

/** The persons of a line, and when they were found, in ms since 1970. */
export interface KnownLine {
  readonly ids: readonly string[]
  readonly at: number
}

interface LookupPlan extends NewJob {
  readonly lookup: string
}

export interface Lookups {
  /** What was found before and still counts, by the index of the line in `lines`. */
  readonly known: ReadonlyMap<number, KnownLine>
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

/** Persons may get other e-mails, so a look-up counts for one day. */
const longestKept = 24 * 60 * 60 * 1000

/** Continues earlier look-ups of the same list, or begins them. Throws `RefusedError` while another process does. */
export function openLookups(jobs: string, plan: LookupPlan, lines: readonly number[], host: LookupHost): Lookups {
  const earlier = listJobs(jobs, () => undefined).find(
    ({ header }) =>
      header.lookup === plan.lookup && header.base === plan.base && header.path.project_id === plan.path.project_id,
  )
  const held = earlier ? lockJob(jobs, earlier.name, host) : createJob(jobs, plan, lines.map(String), null, host)
  const { state } = held.job
  const { clock } = host
  let isHeld = true
  const end = (mayKeep: boolean): boolean => {
    if (!isHeld) return false
    isHeld = false
    held.release()
    const isKept = mayKeep && state.found.size > 0
    if (!isKept) removeJob(held.job)
    return isKept
  }
  return {
    known: new Map(stillKnown(state.found.values(), clock.now())),
    record: (index, found) => held.journal.note(['found', index, found, clock.now()]),
    stop: error => end(!(error instanceof RefusedError)),
    remove: () => void end(false),
  }
}

/** When the last look-up was made, whatever it found, in ms since 1970; 0 where that is too long ago to go on from. */
export function lastLookupAt({ header, state }: Job, clock: Clock): number {
  let last = Date.parse(header.created_at)
  for (const [, , , at = 0] of state.found.values()) last = Math.max(last, at)
  return Math.abs(clock.now() - last) <= longestKept ? last : 0
}

/** None of a time to come. A line without a person is looked up anew, since somebody may have that name by now. */
function* stillKnown(found: Iterable<FoundEntry>, now: number): Generator<[index: number, known: KnownLine]> {
  for (const [, index, ids, at] of found) {
    if (ids === 'other-case' || ids.length === 0 || at === undefined) continue
    if (Math.abs(now - at) <= longestKept) yield [index, { ids, at }]
  }
}
