import { isMissing } from '../../api/if-there.ts'
import {
  Failure,
  InterruptedError,
  NotFoundError,
  notTheService,
  UnavailableError,
  UnexpectedError,
  UnsentError,
} from '../../errors.ts'
import type { Missing } from '../../jobs/missing-targets.ts'
import { codes, failedOutcome, type Outcome, stopsRun } from '../../jobs/outcome.ts'
import { type Sending, Stop } from '../../jobs/step.ts'
import { deletesEvents, isDelete, type Operation } from '../../operations/operation.ts'

interface FailedStep extends Pick<Sending, 'accepted' | 'maybeDone'> {
  /** The run read the object less than a minute before the request that failed. */
  readonly wasThere: boolean
}

/** Throws `Stop` if the failure ends the run. */
export function outcomeOfFailure(error: unknown, operation: Operation, failed: FailedStep): Outcome | Missing {
  const { accepted, maybeDone } = failed
  if (!(error instanceof Failure)) throw new Stop(error, !maybeDone)
  if (isServicesMissing(error, maybeDone)) {
    // A run that ends before the proof forgets what it has read.
    const proved = provedOutcome(error, operation, failed)
    return { status: 'missing', proved, maybeDone: maybeDone || (failed.wasThere && isDelete(operation)) }
  }
  if (isForeignSuccess(error)) return { ...failedOutcome(error), maybeDone, stops: true }
  if (stopsRun(error, accepted)) throw new Stop(error, !maybeDone)
  return { ...failedOutcome(error), maybeDone }
}

function isServicesMissing(error: Failure, maybeDone: boolean): boolean {
  try {
    return isMissing(error)
  } catch (cause) {
    throw new Stop(cause, !maybeDone)
  }
}

/** The outcome once it is proved that the object does not exist. */
export function provedOutcome(
  error: Failure,
  operation: Operation,
  { maybeDone, wasThere }: Omit<FailedStep, 'accepted'>,
): Outcome {
  if (!isDelete(operation)) return { ...failedOutcome(error), maybeDone }
  if (maybeDone) return { status: 'deleted', evidence: 'inferred' }
  const events = deletesEvents(operation)
  // A proxy may have sent the request twice, and the first answer was lost.
  if (wasThere) return events ? eventsFailure(error, codes.eventsUnknown) : { status: 'deleted', evidence: 'inferred' }
  return events ? eventsFailure(error, codes.eventsNotQueued) : { status: 'gone', evidence: 'answered', failure: error }
}

function eventsFailure(error: Failure, code: 'events-unknown' | 'events-not-queued'): Outcome {
  const what =
    code === codes.eventsUnknown
      ? 'it is not known whether its events were queued for deletion'
      : 'its events could not be queued for deletion'
  const failure = new NotFoundError(`${error.message}; ${what}`, { ...error.facts, code })
  return { ...failedOutcome(failure), maybeDone: code === codes.eventsUnknown }
}

/** The 2xx is not the answer to this write, for example a page of a gateway or another record. */
function isForeignSuccess({ facts: { code, method, status = 0 } }: Failure): boolean {
  return code === notTheService && method !== 'GET' && status < 300
}

/** True if the service may have done it although no answer tells. */
export function isUnanswered(error: unknown): boolean {
  if (!(error instanceof Failure)) return true
  if (error.facts.unanswered !== undefined) return error.facts.unanswered
  if (isForeignSuccess(error)) return true
  if (error instanceof InterruptedError || error instanceof UnexpectedError) return true
  return error instanceof UnavailableError && !(error instanceof UnsentError) && error.facts.status === undefined
}
