/** Turns a verdict into the outcome of its target, or stops the run. */
import { isForbidden, NotFoundError, RejectedError } from '../../errors.ts'
import { codes, failedOutcome, type Outcome } from '../../jobs/outcome.ts'
import type { ObjectItem } from '../../json/read-item.ts'
import { isDelete, type Operation } from '../../operations/operation.ts'
import type { FailedVerdict, Verdict } from './judge.ts'
import { lookFor, type StepContext } from './proof.ts'

/**
 * Runs `act`. After a 404 it looks for the target; if that is there, it runs `act` once more with its present record.
 * Undefined once the target has its outcome or the run stops.
 */
export async function actOn<T extends { readonly is: 'there' | 'done' }>(
  run: StepContext,
  target: number,
  act: (present?: ObjectItem) => Promise<T | FailedVerdict>,
): Promise<T | undefined> {
  const again = async (failure: NotFoundError) => {
    const present = await look(run, target, failure)
    return present && act(present)
  }
  const first = await act()
  const last = first.is === 'look' ? await again(first.failure) : first
  if (last?.is === 'look') {
    if (await look(run, target, last.failure)) run.state.stop.abort(contradiction(run.targets[target] ?? ''))
  } else if (last?.is === 'failed' || last?.is === 'stop') conclude(run, target, last)
  else return last
  return undefined
}

export function conclude(run: StepContext, target: number, verdict: Exclude<Verdict, { readonly is: 'look' }>): void {
  const { operation, state } = run
  if (verdict.is === 'done') {
    const { evidence, item } = verdict
    settle(run, target, { status: operation.status, evidence, item: isDelete(operation) ? undefined : item })
    return
  }
  const { failure } = verdict
  // Before a first success, the key may lack the permission for all targets.
  const isPending = verdict.is === 'stop' || (isForbidden(failure) && !state.hasSucceeded)
  if (!isPending) settle(run, target, failedOutcome(failure, verdict.item))
  if (isPending || verdict.stops) state.stop.abort(failure)
}

export function settle({ state }: Pick<StepContext, 'state'>, target: number, outcome: Outcome): void {
  state.settle(new Map([[target, outcome]]))
}

/** Looks for the target after a 404: returns its record, or gives it its outcome. */
export async function look(run: StepContext, target: number, failure: NotFoundError): Promise<ObjectItem | undefined> {
  const { operation, journal } = run
  const looked = await lookFor(target, run)
  if (looked.is === 'there') {
    journal.noteSeen()
    return looked.record
  }
  if (looked.is === 'gone') settle(run, target, goneOutcome(failure, operation, journal.isUncertain(target)))
  else if (looked.is === 'merged') settle(run, target, failedOutcome(merged(failure)))
  else conclude(run, target, looked)
  return undefined
}

function goneOutcome(failure: NotFoundError, { status, deletesEvents }: Operation, isUncertain: boolean): Outcome {
  const coded = (code: string, message: string) => new NotFoundError(message, { ...failure.details, code })
  if (status !== 'deleted') return failedOutcome(coded(codes.notFound, failure.message))
  if (isUncertain) return { status: 'deleted', evidence: 'inferred' }
  if (!deletesEvents) return { status: 'gone', evidence: 'answered', failure }
  const unknown = 'the server may not have queued its events for deletion'
  return failedOutcome(coded(codes.eventsUnknown, `${failure.message}; ${unknown}`))
}

function merged({ message }: NotFoundError): RejectedError {
  return new RejectedError(`${message}, but another person has this email or distinct id now: the two were merged`, {
    code: codes.foundAgain,
    hint: 'Look up the person again',
  })
}

function contradiction(id: string): RejectedError {
  return new RejectedError(`Stopped: the server still returns ${id}, but responds with 404 to the change`, {
    code: codes.stillThere,
    hint: 'Check any proxy in front of the server. Pending targets may still be there',
  })
}
