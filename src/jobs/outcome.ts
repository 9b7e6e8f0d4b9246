/** How one target of a run ended, and how it is shown. */
import {
  AuthError,
  type ExitName,
  Failure,
  NotFoundError,
  notTheService,
  otherRecord,
  type RefusedError,
  RejectedError,
  UnavailableError,
  UnsentError,
} from '../errors.ts'
import type { Item } from '../json/item.ts'

export const statuses = ['deleted', 'updated', 'gone', 'failed'] as const

export type Status = (typeof statuses)[number]

/** `inferred`: the answer was lost, and a later one shows that the request succeeded. */
export const evidences = ['answered', 'inferred'] as const

export type Evidence = (typeof evidences)[number]

/** What is kept of a failure: no text of the service, which may repeat what was sent. */
export interface OutcomeError {
  readonly name: ExitName
  readonly status: number | null
  /** The service's code, or one of `codes`. */
  readonly code: string | null
}

export type Outcome = Good | Failed

/** What only the run that made the outcome knows, and never keeps. */
interface Unkept {
  readonly item?: Item | undefined
  readonly failure?: Failure
  /** The target needed no change, so nothing was sent; `item` is the record that was read. */
  readonly isUnsent?: boolean
}

interface Good extends Unkept {
  readonly status: Exclude<Status, 'failed'>
  readonly evidence: Evidence
  /** The service has only accepted it, such as with 202, and may apply it later. */
  readonly isAccepted?: boolean
  /** The answer was the record without the change. */
  readonly isUnshown?: boolean
}

export interface Failed extends Unkept {
  readonly status: 'failed'
  readonly error: OutcomeError
  /** Whether the service may have done it in spite of the failure. */
  readonly unanswered?: boolean
  /** Whether the failure concerns every target and ends the run. */
  readonly stops?: boolean
}

/** Keys are a contract with scripts. */
export function outcomeItem(id: string, outcome: Outcome): Item {
  const error = outcome.status === 'failed' ? { ...outcome.error, message: describeFailure(outcome) } : null
  return Buffer.from(JSON.stringify({ id, status: outcome.status, error }))
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

/** Codes of this program, not of the service. */
export const codes = {
  conflict: 'conflict',
  eventsNotQueued: 'events-not-queued',
  nameless: 'nameless-property',
  notApplied: 'not-applied',
  notTheService,
  otherRecord,
  pending: 'pending',
  stillThere: 'still-there',
  unknownTags: 'unknown-tags',
} as const

export const pendingSentence = 'The change was accepted less than a minute ago, and may still come: resume in a minute'

export const unknownTagsSentence =
  'The service does not show a list of tags for this definition, so nothing is sent; set the whole list with --tags'

const sentences: Readonly<Record<string, string>> = {
  [codes.conflict]: 'Somebody changed it since, so it is left alone; jobs undo --force puts it back',
  [codes.eventsNotQueued]: 'Not found: its events could not be queued for deletion',
  [codes.nameless]: 'A property without a name cannot be deleted, so nothing is sent; change the others by name',
  [codes.notApplied]: 'Accepted by the service, but not applied',
  [codes.notTheService]: "The answer is not the service's",
  [codes.otherRecord]: 'Another record was answered; look whether this one was changed',
  [codes.pending]: pendingSentence,
  [codes.stillThere]: 'The service accepted the deletion, and the object is still there',
  [codes.unknownTags]: unknownTagsSentence,
}

export function failedOutcome(failure: Failure, code = failure.facts.code): Failed {
  const { status = null } = failure.facts
  // Some servers put a sentence there.
  const kept = code !== undefined && /^[\w.-]{1,60}$/.test(code) ? code : null
  return { status: 'failed', error: { name: failure.name, status, code: kept }, failure }
}

/** Whether the service may have done it all the same: no answer of its own refused it. */
export function mayBeDone({ status }: OutcomeError): boolean {
  return status === null || status < 400 || status >= 500
}

/** Whether another try cannot help: the service has said that the object does not exist, whatever came before. */
export function isFinal({ name }: OutcomeError): boolean {
  return name === 'not-found'
}

const leftAlone: readonly (string | undefined)[] = [codes.conflict, codes.nameless, codes.pending, codes.unknownTags]

/** Whether this program found that the target must not be changed; another target may. */
export function isLeftAlone(error: unknown): error is RefusedError | RejectedError {
  return error instanceof Failure && error.facts.status === undefined && leftAlone.includes(error.facts.code)
}

/** Whether a failure concerns every target, as a refused key does. `accepted`: the key may change another target. */
export function stopsRun(error: Failure, accepted: boolean): boolean {
  const { status = 0, code } = error.facts
  if (isLeftAlone(error) || code === codes.notApplied) return false
  if (error instanceof UnavailableError) return error instanceof UnsentError
  if (error instanceof RejectedError) return status < 400 || code === notTheService
  if (error instanceof AuthError) return status !== 403 || !accepted
  return !(error instanceof NotFoundError)
}
