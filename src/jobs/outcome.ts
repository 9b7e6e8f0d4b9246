/** How one target of a run ended, and how that is shown. */
import type { ExitName, Failure } from '../errors.ts'
import type { Item } from '../json/item.ts'

export const statuses = ['deleted', 'updated', 'gone', 'failed'] as const

export type Status = (typeof statuses)[number]

/** `inferred`: the answer was lost, and a later one shows that the request was carried out. */
export const evidences = ['answered', 'inferred'] as const

export type Evidence = (typeof evidences)[number]

/** What is kept of a failure: no words of the service, which may repeat what was sent. */
export interface OutcomeError {
  readonly name: ExitName
  /** HTTP status, where there was an answer. */
  readonly status: number | null
  /** The service's code, or ours: `events-not-queued`, `not-applied`. */
  readonly code: string | null
}

export type Outcome = Good | Failed

export interface Good {
  readonly status: Exclude<Status, 'failed'>
  readonly evidence: Evidence
}

export interface Failed {
  readonly status: 'failed'
  readonly fault: OutcomeError
  /** The failure in words: shown, never kept. */
  readonly message?: string
  /** Whether the service may have done it all the same. */
  readonly unanswered?: boolean
}

/** `{"id","status","error"}`: the keys that scripts depend on. */
export function outcomeItem(id: string, outcome: Outcome): Item {
  const error = outcome.status === 'failed' ? { ...outcome.fault, message: describeFailure(outcome) } : null
  return Buffer.from(JSON.stringify({ id, status: outcome.status, error }))
}

/** One sentence; of a failure that was only recorded as much as is kept. */
export function describeFailure({ fault, message }: Failed): string {
  const known = fault.code === null ? undefined : ours[fault.code]
  return message ?? known ?? `${kept[fault.name] ?? fault.name}${fault.status === null ? '' : ` (${fault.status})`}`
}

const kept: Readonly<Partial<Record<ExitName, string>>> = {
  'not-found': 'Not found',
  auth: 'Not allowed',
  rejected: 'The service refused the request',
  unavailable: 'The service failed',
}

export const eventsNotQueued = 'events-not-queued'
const notApplied = 'not-applied'

/** The service accepted a change and did not make all of it. */
export const notAppliedFault: OutcomeError = { name: 'rejected', status: null, code: notApplied }

const ours: Readonly<Record<string, string>> = {
  [eventsNotQueued]: 'Not there any more: its events could not be queued for deletion',
  [notApplied]: 'Accepted by the service, but not applied',
}

export function failedOutcome(failure: Failure): Failed {
  const { status = null, code } = failure.facts
  // Some servers put their sentence there.
  const kept = code !== undefined && /^[\w.-]{1,60}$/.test(code) ? code : null
  return { status: 'failed', fault: { name: failure.name, status, code: kept }, message: failure.message }
}
