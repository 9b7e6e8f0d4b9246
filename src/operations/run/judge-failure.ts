import {
  Failure,
  InterruptedError,
  NotFoundError,
  notTheService,
  otherRecord,
  UnavailableError,
  UnexpectedError,
  UnsentError,
} from '../../errors.ts'
import { type StepContext, Stop } from '../../jobs/engine.ts'
import { codes, failedOutcome, type Outcome, stopsRun } from '../../jobs/outcome.ts'
import { isMissing } from '../is-missing.ts'
import { deletesEvents, isDelete, type Operation } from '../operation.ts'

/** Throws `Stop` if the failure ends the run. */
export async function judgeFailure(
  error: unknown,
  operation: Operation,
  { accepted, unanswered }: StepContext & { readonly unanswered: boolean },
  check: (unanswered: boolean) => Promise<void>,
): Promise<Outcome> {
  if (!(error instanceof Failure)) throw new Stop(error, !unanswered)
  if ((await orStop(() => isMissing(error), unanswered)) && isDelete(operation)) {
    await orStop(() => check(unanswered), unanswered)
    return unanswered ? { status: 'deleted', evidence: 'inferred' } : missing(error, operation)
  }
  if (isForeignSuccess(error)) return { ...failedOutcome(error), unanswered, stops: true }
  if (stopsRun(error, accepted)) throw new Stop(error, !unanswered)
  return { ...failedOutcome(error), unanswered }
}

/** An answer from another sender ends the run. `unanswered`: an earlier request may have changed the target. */
async function orStop<T>(check: () => T | Promise<T>, unanswered: boolean): Promise<T> {
  try {
    return await check()
  } catch (cause) {
    throw new Stop(cause, !unanswered)
  }
}

/** A missing object counts as deleted, unless its events should be deleted too: nothing queued them. */
function missing(error: Failure, operation: Operation): Outcome {
  if (!deletesEvents(operation)) return { status: 'gone', evidence: 'answered', failure: error }
  const message = `${error.message}; its events could not be queued for deletion`
  return failedOutcome(new NotFoundError(message, { ...error.facts, code: codes.eventsNotQueued }))
}

/** The 2xx is not the answer to this write, for example a page of a gateway or another record. */
function isForeignSuccess({ facts: { code, method, status = 0 } }: Failure): boolean {
  return (code === notTheService || code === otherRecord) && method !== 'GET' && status < 300
}

/** True if the service may have done it although no answer tells. */
export function isUnanswered(error: unknown): boolean {
  if (!(error instanceof Failure)) return true
  if (error.facts.unanswered !== undefined) return error.facts.unanswered
  if (isForeignSuccess(error)) return true
  if (error instanceof InterruptedError || error instanceof UnexpectedError) return true
  return error instanceof UnavailableError && !(error instanceof UnsentError) && error.facts.status === undefined
}
