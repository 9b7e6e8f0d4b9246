/** A receipt for the ticket: what was done, where, by whom, when and why, with the outcome of each id. */
import { createHash } from 'node:crypto'
import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { UsageError } from '../errors.ts'
import { writePrivateFile } from '../files/private-file.ts'
import { nextBatch } from '../values/sunday.ts'
import type { JobState } from './job-state.ts'
import { describeFailure, type Evidence, type OutcomeError, type Status } from './outcome.ts'
import type { Targets } from './target-list.ts'

export interface Receipt {
  readonly receipt: 2
  readonly tool: string
  readonly command: string
  readonly base_url: string
  readonly project: string | null
  readonly profile: string | null
  /** As in the path of the requests. */
  readonly path: Readonly<Record<string, string>>
  readonly job: string | null
  readonly reason: string | null
  readonly actor: Actor
  readonly requested_by: string | null
  /** Days such as `2026-05-15`. */
  readonly request_received_at: string | null
  readonly due_by: string | null
  readonly started_at: string
  readonly finished_at: string
  /** False where the run was stopped: when it is resumed, this file is written again. */
  readonly complete: boolean
  readonly counts: Readonly<Record<Status | 'left', number>>
  readonly events: { readonly queued: boolean; readonly due_at: string; readonly note: string } | null
  /** SHA-256 of the ids in order, each with a line feed. */
  readonly targets_sha256: string
  readonly input: ReceiptInput | null
  /** `sha256`: null where the file is not there any more. */
  readonly backup: { readonly path: string; readonly sha256: string | null } | null
  readonly notes: readonly string[]
  readonly outcomes: readonly ReceiptOutcome[]
}

/** The outcomes are made one by one: there may be a million. */
export type NewReceipt = Omit<Receipt, 'outcomes'> & { readonly outcomes: Iterable<ReceiptOutcome> }

/** In CI, the name of the system and the address of the run. */
export interface Actor {
  readonly user: string | null
  readonly machine: string
  readonly ci: string | null
  readonly run: string | null
}

export interface ReceiptInput {
  readonly lines: number
  readonly matched: number
  readonly unmatched: readonly number[]
  readonly sha256: string
}

interface ReceiptOutcome {
  readonly id: string
  readonly status: Status | 'left'
  readonly error: (OutcomeError & { readonly message: string }) | null
  readonly evidence: Evidence | null
  readonly at: string | null
}

export interface Asked {
  readonly reason: string | null
  readonly requestedBy: string | null
  readonly received: string | null
  readonly input: ReceiptInput | null
}

/** What a job keeps for its receipts. */
export interface ForReceipt {
  readonly asked: Asked
  readonly actor: Actor
  readonly backup: BackupFile | null
  /** How far the service's clock was ahead in ms, as a sandbox's can be. */
  readonly clockAhead?: number
}

/** The file of the backup, as it was typed and as it is read. */
export interface BackupFile {
  readonly name: string
  readonly path: string
}

export interface ReceiptContext {
  readonly version: string
  readonly command: string
  readonly path: Receipt['path']
  readonly deletesEvents: boolean
  readonly base: string
  /** How far the service's clock is ahead in ms; the weekly batch follows it. */
  readonly clockAhead?: number
  readonly profile: string | null
  readonly actor: Actor
  readonly job: string | null
  readonly asked: Asked
  readonly backup: BackupFile | null
  readonly startedAt: string
  /** In ms; counts only where no target has an outcome. */
  readonly finishedAt: number
}

/** Writes the whole file with mode 0600. Throws `UsageError` where that fails. */
export function writeReceipt(path: string, about: ReceiptContext, state: JobState, targets: Targets): void {
  writePrivateFile(path, '--receipt', printReceipt(receiptOf(about, state, targets)))
}

/** Indented JSON, in parts. */
export function* printReceipt({ outcomes, ...facts }: NewReceipt): Generator<string> {
  const end = ']\n}\n'
  let text = `${JSON.stringify({ ...facts, outcomes: [] }, null, 2)}\n`.slice(0, -end.length)
  let before = ''
  for (const outcome of outcomes) {
    text += `${before}\n    ${JSON.stringify(outcome, null, 2).replaceAll('\n', '\n    ')}`
    before = ','
    if (text.length < partLength) continue
    yield text
    text = ''
  }
  yield `${text}${before === '' ? '' : '\n  '}${end}`
}

const partLength = 64 * 1024

export function receiptOf(about: ReceiptContext, state: JobState, targets: Targets): NewReceipt {
  const { command, path, asked, backup } = about
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
    events: about.deletesEvents ? eventsOf(finishedAt + (about.clockAhead ?? 0), state.counts.deleted > 0) : null,
    targets_sha256: digestOf(targets),
    input: asked.input,
    backup: backup ? { path: backup.name, sha256: digestOfFile(backup.path) } : null,
    notes: command === 'persons delete' ? [reused] : [],
    outcomes: { [Symbol.iterator]: () => outcomesIn(state, targets) },
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

/** The same day of the next month, or its last day where the month is shorter. */
export function monthLater(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month, Math.min(date, last))).toISOString().slice(0, 10)
}

function digestOf(ids: Iterable<string>): string {
  const hash = createHash('sha256')
  for (const id of ids) hash.update(`${id}\n`)
  return hash.digest('hex')
}

function digestOfFile(path: string): string | null {
  if (!existsSync(path)) return null
  const hash = createHash('sha256')
  const chunk = Buffer.allocUnsafe(64 * 1024)
  const file = openSync(path, 'r')
  try {
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) hash.update(chunk.subarray(0, read))
  } finally {
    closeSync(file)
  }
  return hash.digest('hex')
}

function* outcomesIn(state: JobState, targets: Targets): Generator<ReceiptOutcome> {
  let target = 0
  for (const id of targets) yield outcomeIn(id, state, target++)
}

function outcomeIn(id: string, state: JobState, target: number): ReceiptOutcome {
  const outcome = state.outcomeOf(target)
  if (!outcome) return { id, status: 'left', error: null, evidence: null, at: null }
  const at = new Date(outcome.at).toISOString()
  if (outcome.status !== 'failed') return { id, status: outcome.status, error: null, evidence: outcome.evidence, at }
  const error = { ...outcome.fault, message: describeFailure(outcome) }
  const { name, status } = outcome.fault
  const evidence = name === 'unavailable' && status === null ? null : 'answered'
  return { id, status: 'failed', error, evidence, at }
}

/** Throws `UsageError` for a file that is no receipt of deleted persons. */
export function readReceipt(path: string): Receipt {
  let read: Receipt
  try {
    if (!statSync(path).isFile()) throw new Error('Not a regular file')
    read = JSON.parse(readFileSync(path, 'utf8')) as Receipt
  } catch (cause) {
    throw new UsageError(`--receipt: ${path} cannot be read as a receipt`, { hint: 'Check the name', cause })
  }
  const whole =
    read?.receipt === 2 && Array.isArray(read.outcomes) && read.outcomes.every(one => typeof one?.id === 'string')
  if (whole && read.command === 'persons delete') return read
  throw new UsageError(`--receipt: ${path} is not a receipt of persons deleted`, {
    hint: 'Give one that analytics persons delete --receipt has written',
  })
}

/** Whether the outcomes are those of the targets: one that was taken out would not be missed. */
export function holdsAllTargets({ outcomes, targets_sha256: digest }: Receipt): boolean {
  return digest === undefined || digest === digestOf(outcomes.map(({ id }) => id))
}
