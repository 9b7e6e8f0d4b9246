import { isCode } from '../api/responses/error-body.ts'
import type { Failure } from '../errors.ts'
import { type Item, itemOf } from '../json/read-item.ts'

export const statuses = ['deleted', 'updated', 'gone', 'failed'] as const

type Status = (typeof statuses)[number]

/** `accepted`: the server took the request and may act later; `inferred`: only a later response shows that it was done. */
export type Evidence = 'answered' | 'accepted' | 'inferred'

export interface Success {
  readonly status: Exclude<Status, 'failed'>
  readonly evidence: Evidence
}

export interface Failed {
  readonly status: 'failed'
  /** No text of the server, which may repeat sent values. */
  readonly error: {
    readonly name: Failure['name']
    readonly status: number | null
    readonly code: string | null
  }
}

interface Details {
  readonly item?: Item | undefined
  readonly failure?: Failure
}

export type Outcome = (Success | Failed) & Details

export function outcomeItem(id: string, outcome: Outcome): Item {
  const error = outcome.status === 'failed' ? { ...outcome.error, message: describeFailure(outcome) } : null
  return itemOf({ id, status: outcome.status, error })
}

export function describeFailure({ error: { name, status, code }, failure }: Failed & Details): string {
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

export function failedOutcome(failure: Failure, item?: Item): Failed & Details {
  const { status = null, code = '' } = failure.details
  // Some servers send a sentence, or a part of a key.
  return { status: 'failed', error: { name: failure.name, status, code: isCode(code) ? code : null }, failure, item }
}
