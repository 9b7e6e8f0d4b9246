/** A receipt tells what was done, where, by whom, when and why, with the outcome of each id. */

import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { UsageError } from '../../errors.ts'
import { longestText, readAtMost } from '../../files/read.ts'
import { reasonOf } from '../../files/system-error.ts'
import { arrayOf, isCount, isText, isWhole, mapOf, nullOr, optionalOf, recordOf } from '../../json/checks.ts'
import { decodeGiven, isObject } from '../../json/exact.ts'
import type { BackupFile } from '../backup.ts'
import type { Counts } from '../journal/entry.ts'
import { type Evidence, type OutcomeError, type Status, statuses } from '../outcome.ts'

export interface Receipt {
  readonly receipt: 2
  readonly tool: string
  readonly command: string
  readonly base_url: string
  readonly project: string | null
  readonly profile: string | null
  readonly path: Readonly<Record<string, string>>
  readonly job: string | null
  readonly reason: string | null
  readonly actor: Actor
  readonly requested_by: string | null
  readonly request_received_at: string | null
  readonly due_by: string | null
  readonly started_at: string
  readonly finished_at: string
  /** False if the run was stopped; a resume writes the file again. */
  readonly complete: boolean
  readonly counts: Counts
  readonly events: { readonly queued: boolean | null; readonly due_at: string; readonly note: string } | null
  readonly targets_sha256: string
  readonly input: ReceiptInput | null
  /** `sha256` is null if the file does not exist any more. */
  readonly backup: { readonly path: string; readonly sha256: string | null } | null
  readonly notes: readonly string[]
  readonly outcomes: readonly ReceiptOutcome[]
}

/** Outcomes are made one at a time, since there may be a million. */
export type NewReceipt = Omit<Receipt, 'outcomes'> & { readonly outcomes: Iterable<ReceiptOutcome> }

/** `ci` and `run`: name of the CI system and URL of the run. */
export interface Actor {
  readonly user: string | null
  readonly machine: string
  readonly ci: string | null
  readonly run: string | null
}

export const isActor = recordOf<Actor>({
  machine: isText,
  ci: nullOr(isText),
  user: nullOr(isText),
  run: nullOr(isText),
})

export interface ReceiptInput {
  readonly lines: number
  readonly matched: number
  readonly unmatched: readonly number[]
  readonly sha256: string
}

export const isReceiptInput = recordOf<ReceiptInput>({
  lines: isCount,
  matched: isCount,
  unmatched: arrayOf(isCount),
  sha256: isText,
})

export interface ReceiptOutcome {
  readonly id: string
  readonly status: Status | 'left'
  readonly error: (OutcomeError & { readonly message: string }) | null
  readonly evidence: Evidence | null
  readonly at: string | null
}

export interface RequestDetails {
  readonly reason: string | null
  readonly requestedBy: string | null
  readonly received: string | null
  readonly input: ReceiptInput | null
}

const isRequestDetails = recordOf<RequestDetails>({
  reason: nullOr(isText),
  requestedBy: nullOr(isText),
  received: nullOr(isText),
  input: nullOr(isReceiptInput),
})

/** Stored in a job for its receipts. */
export interface StoredReceiptFacts {
  readonly asked: RequestDetails
  readonly actor: Actor
  readonly backup: BackupFile | null
  /** Milliseconds that the service's clock is ahead; the weekly batch follows it. */
  readonly clockAhead: number | undefined
}

export const isStoredReceiptFacts = recordOf<StoredReceiptFacts>({
  asked: isRequestDetails,
  actor: isActor,
  backup: nullOr(recordOf<BackupFile>({ name: isText, path: isText })),
  clockAhead: optionalOf(isWhole),
})

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

/** SHA-256 of the ids in order, each with a line feed. */
export function digestOfTargets(ids: Iterable<string>): string {
  const hash = createHash('sha256')
  for (const id of ids) hash.update(`${id}\n`)
  return hash.digest('hex')
}

/** Its layout may have been changed. Throws `UsageError` unless it is a receipt of deleted persons. */
export async function readReceipt(path: string, signal: AbortSignal): Promise<Receipt> {
  let read: unknown
  try {
    const found = statSync(path)
    if (!found.isFile() && !found.isFIFO()) {
      throw new UsageError(`--receipt: ${path} is neither a file nor a pipe`, { hint: 'Check the name' })
    }
    const bytes = await readAtMost(path, longestText, signal)
    if (!bytes) throw new Error('Too large')
    read = decodeGiven(bytes, `--receipt: ${path}: `)
  } catch (cause) {
    if (cause instanceof UsageError) throw cause
    throw new UsageError(`--receipt: ${path} cannot be read as a receipt${reasonOf(cause)}`, {
      hint: 'Check the name',
      cause,
    })
  }
  if (isReceipt(read)) return read
  if (isObject(read) && Number.isInteger(read.receipt) && read.receipt !== 2) {
    throw new UsageError(`--receipt: ${path} was written by another version of analytics`, {
      hint: 'Check it with that version',
    })
  }
  throw new UsageError(`--receipt: ${path} is not a receipt of persons deleted`, {
    hint: 'Give one that analytics persons delete --receipt has written',
  })
}

function isReceipt(read: unknown): read is Receipt {
  if (!isObject(read) || read.receipt !== 2 || read.command !== 'persons delete') return false
  return mapOf(isText)(read.path) && arrayOf(hasId)(read.outcomes)
}

function hasId(one: unknown): one is { readonly id: string } {
  return isObject(one) && typeof one.id === 'string'
}

/** Checks that outcomes match the targets and counts, so that a removed one is noticed. */
export function isConsistent({ outcomes, counts, targets_sha256: digest }: Receipt): boolean {
  if (digest !== undefined && digest !== digestOfTargets(outcomes.map(({ id }) => id))) return false
  const known: readonly string[] = [...statuses, 'left']
  if (outcomes.some(({ status }) => !known.includes(status))) return false
  const countOf = (status: string) => outcomes.filter(one => one.status === status).length
  if (counts === null) return false
  return Object.entries(counts ?? {}).every(([status, count]) => count === countOf(status))
}
