import {
  AuthError,
  type ExitName,
  Failure,
  NotFoundError,
  notTheService,
  type RefusedError,
  RejectedError,
  UnavailableError,
  UnsentError,
} from '../errors.ts'
import type { Item } from '../json/item.ts'
import { itemOf } from '../json/read-item.ts'

export const statuses = ['deleted', 'updated', 'gone', 'failed'] as const

export type Status = (typeof statuses)[number]

/** `accepted`: the service took the request and may do it later; `inferred`: only a later answer shows that it was done. */
export const evidences = ['answered', 'accepted', 'inferred'] as const

export type Evidence = (typeof evidences)[number]

/** Stored part of a failure. It contains no text of the service, which may repeat sent values. */
export interface OutcomeError {
  readonly name: ExitName
  readonly status: number | null
  readonly code: string | null
}

export type Outcome = Good | Failed

/** Known only during the run, and never stored. */
interface Unkept {
  readonly item?: Item | undefined
  readonly failure?: Failure
}

/**
 * How much of an update the answer shows. `accepted`: no record came, for example with 202, and it may be applied later.
 * `unshown`: the record came without the change. `unneeded`: nothing was sent; `item` is the record that was read.
 */
export type Change = 'shown' | 'accepted' | 'unshown' | 'unneeded'

interface Good extends Unkept {
  readonly status: Exclude<Status, 'failed'>
  readonly evidence: Evidence
  /** Absent of a deletion. */
  readonly change?: Change
}

/** The service may still apply it. */
export function mayComeLater({ change }: Pick<Good, 'change'>): boolean {
  return change === 'accepted' || change === 'unshown'
}

export interface Failed extends Unkept {
  readonly status: 'failed'
  readonly error: OutcomeError
  /** The service may have done it in spite of the failure. */
  readonly maybeDone?: boolean
  /** The failure concerns every target and ends the run. */
  readonly stops?: boolean
}

/** Scripts rely on these keys. */
export function outcomeItem(id: string, outcome: Outcome): Item {
  const error = outcome.status === 'failed' ? { ...outcome.error, message: describeFailure(outcome) } : null
  return itemOf({ id, status: outcome.status, error })
}

export function describeFailure({ error, failure }: Failed): string {
  const known = error.code === null ? undefined : sentences[error.code]
  return (
    failure?.message ??
    known ??
    `${keptSentences[error.name] ?? error.name}${error.status === null ? '' : ` (${error.status})`}`
  )
}

const keptSentences: Readonly<Partial<Record<ExitName, string>>> = {
  'not-found': 'Not found',
  auth: 'Not allowed',
  rejected: 'The service refused the request',
  unavailable: 'The service failed',
}

export const codes = {
  conflict: 'conflict',
  deletionError: 'deletion-error',
  eventsNotQueued: 'events-not-queued',
  eventsUnknown: 'events-unknown',
  nameless: 'nameless-property',
  notApplied: 'not-applied',
  notTheService,
  pending: 'pending',
  stillThere: 'still-there',
  unknownTags: 'unknown-tags',
} as const

export const pendingSentence = 'The change was accepted less than a minute ago, and may still come: resume in a minute'

export const unknownTagsSentence =
  'The service does not show a list of tags for this definition, so nothing is sent; set the whole list with --tags'

const sentences: Readonly<Record<string, string>> = {
  [codes.conflict]: 'Somebody changed it since, so it is left alone; jobs undo --force puts it back',
  [codes.deletionError]: 'The service could not delete it, as its deletion_errors say',
  [codes.eventsNotQueued]: 'Not found: its events could not be queued for deletion',
  [codes.eventsUnknown]: 'Not found: it is not known whether its events were queued for deletion',
  [codes.nameless]: 'A property without a name cannot be deleted, so nothing is sent; change the others by name',
  [codes.notApplied]: 'Accepted by the service, but not applied',
  [codes.notTheService]: "The answer is not the service's",
  [codes.pending]: pendingSentence,
  [codes.stillThere]: 'The service accepted the deletion, and the object is still there',
  [codes.unknownTags]: unknownTagsSentence,
}

export function failedOutcome(failure: Failure, code = failure.facts.code): Failed {
  const { status = null } = failure.facts
  // Some servers send a sentence as code.
  const kept = code !== undefined && /^[\w.-]{1,60}$/.test(code) ? code : null
  return { status: 'failed', error: { name: failure.name, status, code: kept }, failure }
}

const leftAlone: readonly (string | undefined)[] = [codes.conflict, codes.nameless, codes.pending, codes.unknownTags]

/** This program found that this target must not be changed; others may be. */
export function isLeftAlone(error: unknown): error is RefusedError | RejectedError {
  return error instanceof Failure && error.facts.status === undefined && leftAlone.includes(error.facts.code)
}

/** True if a failure concerns every target, such as a refused key. `accepted`: the key may change other targets. */
export function stopsRun(error: Failure, accepted: boolean): boolean {
  const { status = 0, code } = error.facts
  if (isLeftAlone(error) || code === codes.notApplied) return false
  if (error instanceof UnavailableError) return error instanceof UnsentError
  if (code === notTheService) return true
  if (error instanceof RejectedError) return status < 400 || status === 405
  if (error instanceof AuthError) return status !== 403 || !accepted
  return !(error instanceof NotFoundError)
}
