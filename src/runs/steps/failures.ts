/** What the failure of a request says of its target, and of the run. */
import {
  AuthError,
  Failure,
  NotFoundError,
  notTheService,
  RejectedError,
  UnavailableError,
  UnexpectedError,
  UnsentError,
} from '../../errors.ts'
import { codes, failedOutcome, type Outcome, Stop } from '../../jobs/outcome.ts'

interface Failing {
  /** The service may have done it, now or earlier. */
  readonly maybeDone: boolean
  /** Another target of the run was changed. */
  readonly accepted: boolean
}

/** Throws `Stop` if the failure ends the run. */
export function outcomeOfFailure(error: unknown, { maybeDone, accepted }: Failing): Outcome {
  if (error instanceof Stop) throw error
  if (!(error instanceof Failure)) throw new Stop(error)
  if (!isForeignSuccess(error) && stopsRun(error, accepted)) throw new Stop(error)
  return failedOutcome(error, maybeDone)
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

const leftAlone: readonly (string | undefined)[] = [codes.conflict, codes.notTheirs, codes.unknownTags]

/** This program found that this target must not be changed; others may be. */
export function isLeftAlone({ facts: { status, code } }: Failure): boolean {
  return status === undefined && leftAlone.includes(code)
}

/** True for a 404 of the service. Throws `RejectedError` for another one. */
export function isMissing(error: unknown): error is NotFoundError {
  if (!(error instanceof NotFoundError)) return false
  if (error.facts.isObject) return true
  throw new RejectedError(`${error.message}, which does not say that the object is not there`, {
    ...error.facts,
    code: notTheService,
    hint: 'Check the base URL and the project',
  })
}

/**
 * The 2xx is not the answer to this write, for example a page of a gateway or another record. The target gets an outcome,
 * and the run ends.
 */
function isForeignSuccess({ facts: { code, method, status = 0 } }: Failure): boolean {
  return code === notTheService && method !== 'GET' && status < 300
}

/** True if the service may have done it although no answer tells. */
export function isUnanswered(error: unknown): boolean {
  if (!(error instanceof Failure)) return true
  const { unanswered, status } = error.facts
  if (unanswered !== undefined) return unanswered
  if (error instanceof UnexpectedError) return true
  return error instanceof UnavailableError && !(error instanceof UnsentError) && (status === undefined || status >= 500)
}
