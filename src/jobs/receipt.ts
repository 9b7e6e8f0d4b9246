/** A receipt: what was done, where, by which profile, when and why, with each id's outcome, for the ticket. */
import { readFileSync, statSync } from 'node:fs'
import { UsageError } from '../errors.ts'
import { writePrivateFile } from '../files/private-file.ts'
import type { Clock } from '../host.ts'
import { nextBatch } from '../values/sunday.ts'
import type { JobState } from './job-state.ts'
import { describeFailure, type OutcomeError, type Status } from './outcome.ts'
import type { Targets } from './target-list.ts'

export interface Receipt {
  readonly receipt: 1
  readonly tool: string
  readonly command: string
  readonly base_url: string
  readonly profile: string | null
  /** The project or organization, as the path of the requests has it. */
  readonly path: Readonly<Record<string, string>>
  readonly job: string | null
  readonly reason: string | null
  readonly started_at: string
  readonly finished_at: string
  /** False where the run was stopped: it may be finished later, and this file written anew. */
  readonly complete: boolean
  readonly counts: Readonly<Record<Status | 'left', number>>
  /** `queued`: whether those of anybody were. */
  readonly events: { readonly queued: boolean; readonly due_at: string; readonly note: string } | null
  readonly notes: readonly string[]
  readonly outcomes: readonly Reported[]
}

interface Reported {
  readonly id: string
  readonly status: Status | 'left'
  readonly error: (OutcomeError & { readonly message: string }) | null
}

/** What a receipt says beside the outcomes. */
export interface ReceiptContext {
  readonly version: string
  readonly command: string
  readonly path: Receipt['path']
  readonly deletesEvents: boolean
  readonly base: string
  /** The service's time in ms: the weekly batch goes by it. */
  readonly now: () => number
  readonly profile: string | null
  readonly job: string | null
  readonly reason: string | null
  readonly startedAt: string
}

/** Writes it, 0600 and whole. Throws `UsageError` where that cannot be done. */
export function writeReceipt(
  path: string,
  account: ReceiptContext,
  state: JobState,
  targets: Targets,
  clock: Clock,
): void {
  writePrivateFile(path, '--receipt', `${JSON.stringify(receiptOf(account, state, targets, clock), null, 2)}\n`)
}

function receiptOf(account: ReceiptContext, state: JobState, targets: Targets, clock: Clock): Receipt {
  const { command, path, version, base, profile, job, reason, startedAt } = account
  const now = clock.now()
  return {
    receipt: 1,
    tool: `analytics ${version}`,
    command,
    base_url: base,
    profile,
    path,
    job,
    reason,
    started_at: startedAt,
    finished_at: new Date(now).toISOString(),
    complete: state.counts.left === 0,
    counts: { ...state.counts },
    events: account.deletesEvents ? eventsOf(account.now(), state.counts.deleted > 0) : null,
    notes: command === 'persons delete' ? [reused] : [],
    outcomes: Array.from(targets, (id, target) => reported(id, state, target)),
  }
}

const reused = 'A deleted distinct id that is used again makes a person that some views of the service do not show'

function eventsOf(now: number, queued: boolean): Receipt['events'] {
  return {
    queued,
    due_at: new Date(nextBatch(now)).toISOString(),
    note: 'Events of the deleted persons are removed by a weekly batch, Sunday 05:00 UTC unless the operator changed the schedule; those of the failed and gone were not queued by this run',
  }
}

function reported(id: string, state: JobState, target: number): Reported {
  const outcome = state.outcomeOf(target)
  if (outcome?.status !== 'failed') return { id, status: outcome?.status ?? 'left', error: null }
  return { id, status: 'failed', error: { ...outcome.fault, message: describeFailure(outcome) } }
}

/** Throws `UsageError` for a file that is no receipt of persons deleted. */
export function readReceipt(path: string): Receipt {
  let read: Receipt
  try {
    if (!statSync(path).isFile()) throw new Error('Not a regular file')
    read = JSON.parse(readFileSync(path, 'utf8')) as Receipt
  } catch (cause) {
    throw new UsageError(`--receipt: ${path} cannot be read as a receipt`, { hint: 'Check the name', cause })
  }
  const whole =
    read?.receipt === 1 && Array.isArray(read.outcomes) && read.outcomes.every(one => typeof one?.id === 'string')
  if (whole && read.command === 'persons delete') return read
  throw new UsageError(`--receipt: ${path} is not a receipt of persons deleted`, {
    hint: 'Give one that analytics persons delete --receipt has written',
  })
}
