/** One target: the request is sent, and its answer judged. */

import type { Client } from '../api/client.ts'
import { findUnapplied } from '../api/verify-applied.ts'
import {
  AuthError,
  Failure,
  InterruptedError,
  NotFoundError,
  RejectedError,
  UnavailableError,
  UnexpectedError,
} from '../errors.ts'
import { UnsentError } from '../http/transport-errors.ts'
import { decode } from '../json/exact.ts'
import { kindOf } from '../json/pick.ts'
import { deletesEvents, isDelete, type Operation, rowOf, writeRequest } from '../operations/operations.ts'
import { eventsNotQueued, failedOutcome, notAppliedFault, type Outcome } from './outcome.ts'

/** What is known of a target before it is tried. */
export interface Before {
  /** Whether it was sent already and never answered: it may be done. */
  readonly resent: boolean
  /** Whether the service has accepted anything in this run. */
  readonly accepted: boolean
}

/** A failure that is not one target's but everyone's: the run ends with it. */
export class Stop extends Error {
  readonly failure: unknown
  /** Whether the service surely did nothing, now or before. */
  readonly harmless: boolean

  constructor(failure: unknown, harmless: boolean) {
    super('The run was stopped', { cause: failure })
    this.failure = failure
    this.harmless = harmless
  }
}

/** Does one step and returns its outcome. Throws `Stop`. */
export async function step(client: Client, change: Operation, id: string, before: Before): Promise<Outcome> {
  try {
    return await act(client, change, id)
  } catch (error) {
    return judge(error, change, before)
  }
}

async function act(client: Client, change: Operation, id: string): Promise<Outcome> {
  const { status, compares } = rowOf(change)
  const request = writeRequest(client, change, id)
  if (!compares) {
    const { body, inferred } = await client.send(request)
    await body[Symbol.asyncIterator]().return?.()
    return { status, evidence: inferred ? 'inferred' : 'answered' }
  }
  const answer = await client.one(request)
  if (!answer || kindOf(answer) !== 'object') return { status, evidence: 'answered' }
  const missed = findUnapplied(change.body as Record<string, unknown>, decode(answer) as Record<string, unknown>)
  if (missed.length === 0) return { status, evidence: 'answered' }
  const names = missed.map(({ field }) => field).join(', ')
  return {
    status: 'failed',
    fault: notAppliedFault,
    message: `Accepted by the service, but not applied: ${names}`,
  }
}

function judge(error: unknown, change: Operation, { resent, accepted }: Before): Outcome {
  if (!(error instanceof Failure)) throw new Stop(error, false)
  if (error instanceof NotFoundError && isDelete(change)) return missing(error, change, resent)
  const unanswered = resent || isUnanswered(error)
  if (isItsOwn(error, accepted)) return { ...failedOutcome(error), unanswered }
  throw new Stop(error, !unanswered)
}

/** Whoever deletes wants it gone, and it is; unless its events were to go with it, and nobody queued them. */
function missing(error: NotFoundError, change: Operation, resent: boolean): Outcome {
  if (resent) return { status: 'deleted', evidence: 'inferred' }
  if (!deletesEvents(change)) return { status: 'gone', evidence: 'answered' }
  return { status: 'failed', fault: { name: error.name, status: 404, code: eventsNotQueued } }
}

/** Whether the failure is one target's. What turns everyone away, or comes from elsewhere than the service, is not. */
function isItsOwn(error: Failure, accepted: boolean): boolean {
  const { status = 0, page } = error.facts
  if (error instanceof UnavailableError) return !(error instanceof UnsentError)
  // A page where the service should be: the base URL is wrong, for every target.
  if (error instanceof RejectedError) return status >= 400 && !(status === 404 && page)
  if (error instanceof AuthError) return status === 403 && accepted
  return error instanceof NotFoundError
}

/** Whether the service may have done it without our learning so. */
function isUnanswered(error: Failure): boolean {
  if (error.facts.unanswered) return true
  if (error instanceof InterruptedError || error instanceof UnexpectedError) return true
  return error instanceof UnavailableError && !(error instanceof UnsentError) && error.facts.status === undefined
}
