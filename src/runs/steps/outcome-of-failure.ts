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

interface FailedStep extends Pick<Sending, 'accepted'> {
  /** A request got no answer, so the service may have done it. */
  readonly unanswered: boolean
  /** The run read the object less than a minute before the request that failed. */
  readonly wasThere: boolean
}

/** Throws `Stop` if the failure ends the run. */
export function outcomeOfFailure(error: unknown, operation: Operation, failed: FailedStep): Outcome | Missing {
  const { accepted, unanswered } = failed
  if (!(error instanceof Failure)) throw new Stop(error, !unanswered)
  if (isServicesMissing(error, unanswered)) {
    // A run that ends before the proof forgets what it has read.
    const maybeDone = unanswered || (failed.wasThere && isDelete(operation))
    return { status: 'missing', proved: provedOutcome(error, operation, failed), maybeDone }
  }
  if (isForeignSuccess(error)) return { ...failedOutcome(error), unanswered, stops: true }
  if (stopsRun(error, accepted)) throw new Stop(error, !unanswered)
  return { ...failedOutcome(error), unanswered }
}

function isServicesMissing(error: Failure, unanswered: boolean): boolean {
  try {
    return isMissing(error)
  } catch (cause) {
    throw new Stop(cause, !unanswered)
  }
}

/** The outcome once it is proved that the object does not exist. */
export function provedOutcome(
  error: Failure,
  operation: Operation,
  { unanswered, wasThere }: Omit<FailedStep, 'accepted'>,
): Outcome {
  if (!isDelete(operation)) return { ...failedOutcome(error), unanswered }
  if (unanswered) return { status: 'deleted', evidence: 'inferred' }
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
  return { ...failedOutcome(failure), unanswered: code === codes.eventsUnknown }
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
