/** Deletes the persons of a parcel with one request. */
import type { Answer } from '../../api/answers/answer.ts'
import { bulkCountsIn } from '../../api/answers/bulk-counts.ts'
import { Failure, NotFoundError, RejectedError, UnavailableError } from '../../errors.ts'
import { type Sending, type Step, Stop } from '../../jobs/engine.ts'
import { codes, failedOutcome, type Outcome } from '../../jobs/outcome.ts'
import { runParallel } from '../../jobs/run-parallel.ts'
import { type Operation, pathTo, targetName } from '../../operations/operation.ts'
import { queuesUnasked, verdictsOf } from './bulk-answer.ts'
import { goneOutcome, isNotThere, isUnanswered, outcomeOfFailure } from './failures.ts'
import { lookFor } from './proof.ts'
import { changeTarget, prepare, type Stepping } from './step.ts'

type Outcomes = Map<Sending, Outcome>

/** `operation`: the same for all targets. */
export function createBatchStep(stepping: Stepping, operation: Operation, concurrency: number): Step {
  let isFirst = true
  return async (parcel, accepted) => {
    const batch = { ...stepping, operation, concurrency, accepted }
    const outcomes: Outcomes = new Map()
    if (isFirst) await lookAtFirst(batch, parcel, outcomes)
    isFirst = false
    await sendParcel(batch, parcel, outcomes)
    return parcel.flatMap(sending => outcomes.get(sending) ?? [])
  }
}

interface Batch extends Stepping {
  readonly operation: Operation
  readonly concurrency: number
  readonly accepted: boolean
}

/** Distinct ids may have been given for ids. */
async function lookAtFirst(batch: Batch, parcel: readonly Sending[], outcomes: Outcomes): Promise<void> {
  const [sending] = parcel
  if (!sending) return
  try {
    if (!(await batch.looking.proof.isThere(sending.id))) await look(batch, sending, outcomes)
  } catch (error) {
    throw error instanceof Stop ? error : new Stop(error, !sending.maybeDone)
  }
}

async function sendParcel(batch: Batch, parcel: readonly Sending[], outcomes: Outcomes): Promise<void> {
  const { client, scope, operation, concurrency, accepted } = batch
  const each = (sendings: readonly Sending[], work: (sending: Sending) => Promise<void>) =>
    runParallel(sendings, concurrency, work)
  const unsent = parcel.filter(sending => !outcomes.has(sending))
  await each(unsent, async sending => {
    const { id, maybeDone } = sending
    try {
      await prepare(batch, operation, id)
    } catch (error) {
      if (isNotThere(error, maybeDone)) await look(batch, sending, outcomes)
      else outcomes.set(sending, outcomeOfFailure(error, { maybeDone, accepted }))
    }
  })
  const sent = unsent.filter(sending => !outcomes.has(sending))
  const ids = sent.map(({ id }) => id)
  if (ids.length === 0 || !operation.writeMany) return
  const orBefore = (isUnknown: boolean, one: Sending) => ({ ...one, maybeDone: isUnknown || one.maybeDone })
  let answer: Answer
  try {
    answer = await client.answer(operation.writeMany(client, pathTo(scope, '1'), ids))
  } catch (error) {
    const isUnknown = isUnanswered(error)
    if (isNotOffered(error)) throw new Stop(notOffered(error), !isUnknown)
    return each(sent, async one => {
      const sending = orBefore(isUnknown, one)
      // One of them may be what the service cannot delete.
      const failed = () => outcomeOfFailure(error, { ...sending, accepted })
      outcomes.set(one, isForEach(error) ? await changeTarget(batch, sending, accepted) : failed())
    })
  }
  const counts = answer.item && bulkCountsIn(answer.item.value)
  if (queuesUnasked(counts, operation.deletesEvents === true)) throw new Stop(unasked(), false)
  const verdicts = verdictsOf(ids, counts, operation.deletesEvents === true)
  const judged = sent.map((sending, i) => ({ sending, verdict: verdicts[i] }))
  await runParallel(judged, concurrency, async ({ sending, verdict }) => {
    if (verdict === 'deleted') outcomes.set(sending, { status: 'deleted', evidence: 'accepted' })
    else if (verdict === 'failed') outcomes.set(sending, refused(sending))
    else await look(batch, orBefore(answer.unanswered === true, sending), outcomes, sending)
    if (!outcomes.has(sending)) outcomes.set(sending, stillThere(sending))
  })
}

/** Sets the outcome of a person who is not there, or cannot be read. */
async function look(batch: Batch, sending: Sending, outcomes: Outcomes, key = sending): Promise<void> {
  const { looking, nameOf, operation } = batch
  const { id, target, maybeDone } = sending
  try {
    const found = await lookFor(id, nameOf(target), looking)
    const what = targetName(operation, id).replace(/^./, letter => letter.toUpperCase())
    const failure = new NotFoundError(`${what} was not found`, { status: 404 })
    if (found === 'gone') outcomes.set(key, goneOutcome(failure, operation, maybeDone))
    if (found === 'found again') {
      const merged = new RejectedError(`${failure.message}, and somebody else has its name now`, {
        code: codes.foundAgain,
      })
      outcomes.set(key, failedOutcome(merged, maybeDone))
    }
  } catch (error) {
    if (error instanceof Stop) throw error
    outcomes.set(key, outcomeOfFailure(error, { maybeDone, accepted: true }))
  }
}

/** A server without `bulk_delete` takes it for the id of a person, or for an unknown path. */
function isNotOffered(error: unknown): error is Failure {
  return error instanceof NotFoundError || (error instanceof Failure && error.facts.status === 405)
}

function notOffered({ facts }: Failure): RejectedError {
  return new RejectedError(`The service has no bulk_delete, which --batch needs (status ${facts.status})`, {
    ...facts,
    hint: 'Run the command again without --batch',
  })
}

/** It is sent person by person then. */
function isForEach(error: unknown): boolean {
  if (error instanceof UnavailableError) return isUnanswered(error)
  return error instanceof RejectedError && [400, 413].includes(error.facts.status ?? 0)
}

function unasked(): RejectedError {
  return new RejectedError('The service queued events for deletion, which nobody asked for', {
    hint: 'Nothing more is sent; ask whoever runs the service',
  })
}

/** A part of the deletion may be done. */
function refused({ id }: Sending): Outcome {
  const failure = new RejectedError(`The service could not delete person ${id}, as its deletion_errors say`, {
    code: codes.deletionError,
    hint: 'Resume to try it again; the log of the service may say why',
  })
  return failedOutcome(failure, true)
}

function stillThere({ id }: Sending): Outcome {
  const failure = new RejectedError(`The counts of the service do not add up, and person ${id} is still there`, {
    code: codes.stillThere,
    hint: 'It may be deleted later: look again with analytics persons get',
  })
  return failedOutcome(failure, true)
}
