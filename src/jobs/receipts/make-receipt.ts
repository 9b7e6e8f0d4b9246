import { createHash } from 'node:crypto'
import { writePrivateFile } from '../../files/private-file.ts'
import { partsOf } from '../../files/regular-file.ts'
import { cannotRead, codeOf } from '../../files/system-error.ts'
import type { Host } from '../../host.ts'
import { grouped } from '../../text/grouped.ts'
import { nextBatch } from '../../values/instant.ts'
import type { BackupFile } from '../backup.ts'
import { backupsOf, type Job } from '../job.ts'
import type { JobHeader } from '../job-header.ts'
import type { JobState, RecordedOutcome } from '../job-state.ts'
import { describeFailure } from '../outcome.ts'
import {
  digestOfTargets,
  type NewReceipt,
  printReceipt,
  type Receipt,
  type ReceiptOutcome,
  type StoredReceiptFacts,
} from './receipt.ts'

export interface ReceiptFacts
  extends Omit<StoredReceiptFacts, 'backup'>,
    Pick<JobHeader, 'command' | 'path' | 'base' | 'profile'> {
  readonly version: string
  readonly deletesEvents: boolean
  readonly job: string | null
  /** The last one was in use at the end. */
  readonly backups: readonly BackupFile[]
  /** The name of the last backup belongs to another file, or to none. */
  readonly isBackupMoved?: boolean
  readonly startedAt: string
  /** Milliseconds; used only if no target has an outcome. */
  readonly finishedAt: number
}

export function writeReceipt(path: string, about: ReceiptFacts, state: JobState, targets: readonly string[]): void {
  writePrivateFile(path, '--receipt', printReceipt(receiptOf(about, state, targets)))
}

export function receiptAgain({ version }: Pick<Host, 'version'>, job: Job): NewReceipt {
  const { name, header, state, targets } = job
  const { command, path, base, profile, receipt: kept, options, created_at: startedAt } = header
  const about = {
    version,
    command,
    path,
    deletesEvents: options.deleteEvents === true,
    base,
    profile,
    job: name,
    startedAt,
    finishedAt: Date.parse(startedAt),
    ...kept,
    backups: backupsOf(job),
  }
  return receiptOf(about, state, targets)
}

function receiptOf(about: ReceiptFacts, state: JobState, targets: readonly string[]): NewReceipt {
  const { command, path, asked, isBackupMoved = false } = about
  const earlier = about.backups.slice(0, -1).map(({ name, path }) => ({ path: name, sha256: digestOfFile(path) }))
  const backup = about.backups.at(-1)
  const finishedAt = state.lastAt || about.finishedAt
  return {
    receipt: 2,
    tool: `analytics ${about.version}`,
    command,
    base_url: about.base,
    project: path.project_id ?? null,
    profile: about.profile,
    path,
    job: about.job,
    reason: asked.reason,
    actor: about.actor,
    requested_by: asked.requestedBy,
    request_received_at: asked.received,
    due_by: asked.received === null ? null : monthLater(asked.received),
    started_at: about.startedAt,
    finished_at: new Date(finishedAt).toISOString(),
    complete: state.counts.left === 0,
    counts: { ...state.counts },
    events: about.deletesEvents ? eventsOf(finishedAt + (about.clockAhead ?? 0), state) : null,
    targets_sha256: digestOfTargets(targets),
    input: asked.input,
    backup: backup ? { path: backup.name, sha256: isBackupMoved ? null : digestOfFile(backup.path) } : null,
    notes: [
      ...(command === 'persons delete' ? [reused] : []),
      ...maybeDoneNotes(state),
      ...earlier.map(describeEarlier),
    ],
    outcomes: { [Symbol.iterator]: () => outcomesIn(state, targets) },
  }
}

const reused = 'A deleted distinct id that is used again makes a person that some views of the service do not show'

function maybeDoneNotes(state: JobState): string[] {
  const count = state.countMaybeDone()
  if (count === 0) return []
  return [`Of the targets that are left, ${grouped(count)} may be done: no certain answer came`]
}

function describeEarlier({ path, sha256 }: NonNullable<Receipt['backup']>): string {
  const digest = sha256 === null ? 'is not there any more' : `SHA-256 ${sha256}`
  return `An earlier part of this run had the backup ${path} (${digest})`
}

/** `queued`: null if no deletion is known, but some may be done. */
function eventsOf(now: number, { counts, mayHaveSent }: JobState): Receipt['events'] {
  return {
    queued: counts.deleted > 0 || (mayHaveSent ? null : false),
    due_at: new Date(nextBatch(now)).toISOString(),
    note: 'A weekly batch removes the events of the deleted persons, on Sunday 05:00 UTC unless the operator changed the schedule. This run did not queue events of persons who were gone, or whose deletion the service refused (error.status 4xx). For other failures, and for targets left that may be done, this is not known',
  }
}

/** Returns the same day of the next month, or the month's last day. */
function monthLater(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month, Math.min(date, last))).toISOString().slice(0, 10)
}

/** Null if the file does not exist any more. */
function digestOfFile(path: string): string | null {
  const hash = createHash('sha256')
  try {
    for (const part of partsOf(path)) hash.update(part)
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return null
    throw cannotRead(`The backup ${path}`, cause, 'Check its owner and mode, or move it away')
  }
  return hash.digest('hex')
}

function* outcomesIn(state: JobState, targets: readonly string[]): Generator<ReceiptOutcome> {
  for (const [id, outcome] of state.outcomesOf(targets)) yield outcomeIn(id, outcome)
}

function outcomeIn(id: string, outcome: RecordedOutcome | undefined): ReceiptOutcome {
  if (!outcome) return { id, status: 'left', error: null, evidence: null, at: null }
  const at = new Date(outcome.at).toISOString()
  if (outcome.status !== 'failed') return { id, status: outcome.status, error: null, evidence: outcome.evidence, at }
  const error = { ...outcome.error, message: describeFailure(outcome) }
  const { name, status } = outcome.error
  const evidence = name === 'unavailable' && status === null ? null : 'answered'
  return { id, status: 'failed', error, evidence, at }
}
