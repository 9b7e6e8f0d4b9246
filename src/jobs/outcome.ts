import type { Failure } from '../errors.ts'
import { type Item, itemOf } from '../json/read-item.ts'

export const statuses = ['deleted', 'updated', 'gone', 'failed'] as const

export type Status = (typeof statuses)[number]

export type Counts = Readonly<Record<Status | 'left', number>>

/** `accepted`: the service took the request and may do it later; `inferred`: only a later answer shows that it was done. */
export type Evidence = 'answered' | 'accepted' | 'inferred'

/** Known only during the run, and never stored. */
interface Unkept {
  readonly item?: Item | undefined
  readonly failure?: Failure
}

export interface Good {
  readonly status: Exclude<Status, 'failed'>
  readonly evidence: Evidence
}

export interface Bad {
  readonly status: 'failed'
  /** No text of the service, which may repeat sent values. */
  readonly error: {
    readonly name: Failure['name']
    readonly status: number | null
    readonly code: string | null
  }
  /** The service may have done it in spite of the failure. */
  readonly maybeDone: boolean
}

export type Failed = Bad & Unkept

export type Outcome = (Good & Unkept) | Failed

/** A failure, the cause, that ends the run. */
export class Stop extends Error {
  constructor(cause: unknown) {
    super('The run was stopped', { cause })
  }
}

/** Scripts rely on these keys. */
export function outcomeItem(id: string, outcome: Outcome): Item {
  const error = outcome.status === 'failed' ? { ...outcome.error, message: describeFailure(outcome) } : null
  return itemOf({ id, status: outcome.status, error })
}

/** A job keeps no message. */
export function describeFailure({ error: { name, status, code }, failure }: Failed): string {
  return failure?.message ?? `${code ?? name}${status === null ? '' : ` (${status})`}`
}

export const codes = {
  conflict: 'conflict',
  deletionError: 'deletion-error',
  eventsUnknown: 'events-unknown',
  foundAgain: 'found-again',
  notApplied: 'not-applied',
  notFound: 'not-found',
  notTheirs: 'not-theirs',
  stillThere: 'still-there',
  unknownTags: 'unknown-tags',
} as const

export function failedOutcome(failure: Failure, maybeDone = false): Failed {
  const { status = null, code = '' } = failure.facts
  // Some servers send a sentence, or a part of a key.
  const kept = code.length <= 40 && /^[a-z]+([-_.][a-z]+)*$/.test(code) ? code : null
  return { status: 'failed', error: { name: failure.name, status, code: kept }, maybeDone, failure }
}

/** Another attempt cannot help. */
export function isFinal(outcome: Good | Bad | undefined): boolean {
  return outcome !== undefined && (outcome.status !== 'failed' || outcome.error.name === 'not-found')
}
