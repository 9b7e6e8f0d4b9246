/** Stores look-ups, which may take hours, as a job: the digest of the list and the ids found, but not its lines. */
import { RefusedError } from '../errors.ts'
import type { Clock, Host } from '../host.ts'
import { createJob, type NewJob } from './create-job.ts'
import { type Job, removeJob } from './job.ts'
import type { FoundEntry, FoundLine } from './journal/entry.ts'
import { listJobs } from './list-jobs.ts'
import { lockJob } from './locked-job.ts'

/** Persons of a line, and the time of the look-up in milliseconds since 1970. */
export interface KnownLine {
  readonly ids: readonly string[]
  readonly at: number
}

interface LookupPlan extends NewJob {
  readonly lookup: string
}

export interface Lookups {
  /** Earlier results that are still valid; the key is the index in `lines`. */
  readonly known: ReadonlyMap<number, KnownLine>
  record(index: number, found: FoundLine): void
  /**
   * Keeps the results for the next command with this list, except after a refusal, which means that the data must be
   * corrected. Returns false if nothing is kept. After `stop` or `remove`, calls have no effect.
   */
  stop(error: unknown): boolean
  /** Call it after the run is stored or given up. */
  remove(): void
}

type LookupHost = Pick<Host, 'clock' | 'random' | 'processes'>

/** A look-up is valid for one day, because persons may get other e-mails. */
const longestKept = 24 * 60 * 60 * 1000

/** Continues or starts look-ups of the list. Throws `RefusedError` while another process does this. */
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

/** Time of the last look-up, with or without a result, in milliseconds since 1970; 0 if it is too old. */
export function lastLookupAt({ header, state }: Job, clock: Clock): number {
  let last = Date.parse(header.created_at)
  for (const [, , , at = 0] of state.found.values()) last = Math.max(last, at)
  return Math.abs(clock.now() - last) <= longestKept ? last : 0
}

/** Ignores times more than a day away, and looks up lines without a person again, since the person may exist by now. */
function* stillKnown(found: Iterable<FoundEntry>, now: number): Generator<[index: number, known: KnownLine]> {
  for (const [, index, ids, at] of found) {
    if (ids === 'other-case' || ids.length === 0 || at === undefined) continue
    if (Math.abs(now - at) <= longestKept) yield [index, { ids, at }]
  }
}
