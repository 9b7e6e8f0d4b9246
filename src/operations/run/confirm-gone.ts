/** Reads objects that the service said it deleted, until it is proved that they are gone. */
import { Failure, InterruptedError, RejectedError } from '../../errors.ts'
import type { Clock } from '../../host.ts'
import type { Proof } from '../../jobs/missing-targets.ts'
import { codes, failedOutcome, type Outcome } from '../../jobs/outcome.ts'
import type { Operation } from '../operation.ts'
import { isProvedGone } from './prove-gone.ts'

interface Looking {
  readonly proof: Proof
  readonly operation: Operation
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Milliseconds between reads, because a server may answer before it has acted. */
export const pauses = [500, 1000, 2000, 3500, 0]

/** Returns a failure that stops the run if the object can still be read after 7 s; throws if that is unknown. */
export async function confirmGone(looking: Looking, id: string, outcome: Outcome): Promise<Outcome> {
  if (outcome.status !== 'deleted') return outcome
  const { proof, operation, clock, signal } = looking
  try {
    for (const pause of pauses) {
      if (await isProvedGone(proof, id)) return outcome
      if (pause > 0) await clock.sleep(pause, signal)
    }
  } catch (error) {
    throw error instanceof Failure ? unconfirmed(operation, id, error) : error
  }
  const failure = new RejectedError(`Stopped: the service said that it deleted ${id}, and it is still there`, {
    code: codes.stillThere,
    hint: `Look at it with analytics ${operation.command.split(' ')[0]} get ${id} before you delete more`,
  })
  // The service accepted it, so a 404 in a resume shows that it was deleted.
  return { ...failedOutcome(failure), unanswered: true, stops: true }
}

function unconfirmed({ command }: Operation, id: string, failure: Failure): Failure {
  if (failure instanceof InterruptedError) {
    const look = `analytics ${command.split(' ')[0]} get ${id}`
    return failure.with({ hint: `The deletion of ${id} was accepted; see with ${look} whether it is gone` })
  }
  return failure.reworded(
    `The deletion of ${id} was accepted, and it is not known whether it is gone: ${failure.message}`,
  )
}
