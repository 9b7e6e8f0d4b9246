/** A receipt is the header of a job, with the outcome of each id. */
import { createHash } from 'node:crypto'
import { UsageError } from '../errors.ts'
import { writePrivateFile } from '../files/regular-file.ts'
import { decodeInput, isObject, isText } from '../json/exact.ts'
import { isUuid } from '../values/ids.ts'
import { nextEventDeletion } from '../values/instant.ts'
import type { Journal } from './journal.ts'
import { codes } from './outcome.ts'
import { batchesOf } from './run-parallel.ts'

/** `unmatched`: numbers of the lines without a match. */
export interface ReceiptInput {
  readonly lines: number
  readonly matched: number
  readonly unmatched: readonly number[]
  readonly sha256: string
}

export interface JobHeader {
  readonly tool: string
  /** The words of the command and its options, without names, emails and values. */
  readonly command: string
  readonly base_url: string
  readonly project: string | null
  readonly profile: string | null
  readonly path: Readonly<Record<string, string>>
  readonly job: string | null
  readonly reason: string | null
  readonly started_at: string
  /** Null unless the command deletes persons. */
  readonly events: { readonly deleted: boolean } | null
  /** `ci` and `run`: name of the CI system and URL of the run. */
  readonly actor: Readonly<Record<'user' | 'ci' | 'run', string | null>> & { readonly machine: string }
  readonly targets_sha256: string
  readonly input: ReceiptInput | null
  readonly backup: string | null
}

type Receipt = ReturnType<typeof receiptOf>

export function receiptOf(header: JobHeader, journal: Journal, targets: readonly string[]) {
  const { tool, command, base_url, project, profile, path, job, reason, started_at, events, ...rest } = header
  const finished = journal.lastAt || Date.parse(started_at)
  const { counts } = journal
  return {
    header: {
      ...{ receipt: 3, tool, command, base_url, project, profile, path, job, reason, started_at },
      finished_at: new Date(finished).toISOString(),
      complete: counts.left === 0,
      counts: { ...counts },
      events: eventsIn(events, journal, finished),
      ...rest,
    },
    counts,
    outcomes: outcomesIn(journal, targets),
  }
}

function eventsIn(events: JobHeader['events'], { unaskedEvents }: Journal, finished: number) {
  if (unaskedEvents > 0) return { deleted: true, unasked: true }
  return events?.deleted ? { deleted: true, due_at: new Date(nextEventDeletion(finished)).toISOString() } : events
}

function* outcomesIn(journal: Journal, targets: readonly string[]) {
  for (const [id, outcome] of journal.outcomesOf(targets)) yield outcomeIn(id, outcome)
}

function outcomeIn(id: string, outcome: ReturnType<Journal['outcomeOf']>) {
  if (!outcome) return { id, status: 'left' as const, error: null, evidence: null, at: null, uuid: undefined }
  const { status } = outcome
  const at = new Date(outcome.at).toISOString()
  const uuid = isUuid(id) ? id.toLowerCase() : outcome.uuid
  if (status !== 'failed') return { id, status, error: null, evidence: outcome.evidence, at, uuid }
  const { error } = outcome
  const evidence = error.status === null ? null : ('answered' as const)
  return { id, status, error: error.code ?? error.name, evidence, at, uuid }
}

export function* printReceipt({ header, outcomes }: Receipt): Generator<string> {
  yield JSON.stringify(header, null, 2).replace(/\n\}$/, ',\n  "outcomes": [')
  let before = '\n    '
  for (const batch of batchesOf(outcomes, 1000)) {
    yield before + batch.map(outcome => JSON.stringify(outcome)).join(',\n    ')
    before = ',\n    '
  }
  yield '\n  ]\n}\n'
}

export function writeReceipt(path: string, receipt: Receipt): void {
  writePrivateFile(path, '--receipt', printReceipt(receipt))
}

export function digestOfTargets(ids: Iterable<string>): string {
  const hash = createHash('sha256')
  for (const id of ids) hash.update(`${id}\n`)
  return hash.digest('hex')
}

export type ReadReceipt = ReturnType<typeof receiptIn>

/**
 * What `persons verify` reads, also of a receipt of form 2. Times are milliseconds, `NaN` where the receipt has none. Throws
 * `UsageError` unless it is a receipt of deleted persons as it was written.
 */
export function receiptIn(text: Buffer | string, where: string) {
  const read = decodeInput(text, `${where}: `)
  const { receipt, command, base_url, path, started_at, events, outcomes, targets_sha256 } = isObject(read) ? read : {}
  const isKnown = (receipt === 3 || receipt === 2) && /^persons delete( |$)/.test(String(command))
  if (!isKnown || typeof base_url !== 'string' || !isObject(path) || !Array.isArray(outcomes)) {
    throw new UsageError(`${where} is not a receipt of deleted persons that analytics can read`, {
      hint: 'Use a file that analytics persons delete --receipt wrote',
    })
  }
  const deletesEvents = receipt === 2 ? events !== null : isObject(events) && events.deleted === true
  const rows = outcomes.map(one => {
    const { id, status, error, at, uuid = id } = isObject(one) ? one : {}
    const writtenCode = isObject(error) ? (error.code ?? error.name) : error
    // Receipts of form 2 have another code for it.
    const isOldCode = writtenCode === 'events-not-queued' || (deletesEvents && status === 'gone')
    const code = isOldCode ? codes.eventsUnknown : writtenCode
    return {
      id: String(id),
      status: String(status),
      error: code == null ? null : String(code),
      at: Date.parse(String(at)),
      uuid: isText(uuid) && isUuid(uuid) ? uuid.toLowerCase() : undefined,
    }
  })
  if (targets_sha256 !== digestOfTargets(rows.map(({ id }) => id))) {
    throw new UsageError(`${where} was changed: its outcomes do not match its targets_sha256`, {
      hint: 'Print it again with analytics jobs receipt',
    })
  }
  const scope = Object.fromEntries(Object.entries(path).map(([name, id]) => [name, String(id)]))
  const isUnasked = isObject(events) && events.unasked === true
  const ifAsked = deletesEvents ? ('deleted' as const) : ('kept' as const)
  return {
    base_url,
    path: scope,
    startedAt: Date.parse(String(started_at)),
    events: isUnasked ? ('unasked' as const) : ifAsked,
    outcomes: rows,
  }
}
