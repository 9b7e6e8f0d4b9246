/** Reads objects whose deletion was answered, until it is proved that they are gone. */
import { Failure, InterruptedError, RejectedError } from '../../errors.ts'
import type { Clock } from '../../host.ts'
import type { Proof } from '../../jobs/missing-targets.ts'
import { codes, failedOutcome, type Outcome } from '../../jobs/outcome.ts'
import { batchOf, type Operation } from '../operation.ts'
import { isProvedGone } from './prove-gone.ts'

interface Looking {
  readonly proof: Proof
  readonly operation: Operation
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Milliseconds between reads, because a server may answer before it has acted. */
export const pauses = [500, 1000, 2000, 3500, 0]

/** Servers only queue what they delete many at a time. */
const batchPauses = [500, 1000, 2000, 3500, 5000, 8000, 10_000, 10_000, 10_000, 10_000, 0]

/** Returns a failure that stops the run if the object can still be read at the end; throws if that is unknown. */
export async function confirmGone(looking: Looking, id: string, outcome: Outcome): Promise<Outcome> {
  if (outcome.status !== 'deleted') return outcome
  const { proof, operation, clock, signal } = looking
  try {
    for (const pause of batchOf(operation) === undefined ? pauses : batchPauses) {
      if (await isProvedGone(proof, id)) return outcome
      if (pause > 0) await clock.sleep(pause, signal)
    }
  } catch (error) {
    throw error instanceof Failure ? unconfirmed(operation, id, error) : error
  }
  const failure = new RejectedError(`Stopped: the service answered the deletion of ${id}, and it is still there`, {
    code: codes.stillThere,
    hint: `Look at it with ${lookAt(operation, id)} before you delete more`,
  })
  // The deletion was sent, so a 404 in a resume shows that it was done.
  return { ...failedOutcome(failure), unanswered: true, stops: true }
}

function unconfirmed(operation: Operation, id: string, failure: Failure): Failure {
  if (failure instanceof InterruptedError) {
    return failure.with({
      hint: `The deletion of ${id} was sent; see with ${lookAt(operation, id)} whether it is gone`,
    })
  }
  return failure.reworded(`The deletion of ${id} was sent, and it is not known whether it is gone: ${failure.message}`)
}

function lookAt({ command }: Operation, id: string): string {
  return `analytics ${command.split(' ')[0]} get ${id}`
}
