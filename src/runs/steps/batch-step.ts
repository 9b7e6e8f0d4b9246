/** Deletes the persons of a parcel with one request. */
import { bulkCountsIn, queuesUnasked, verdictsOf } from '../../api/answers/bulk-answer.ts'
import { Failure, NotFoundError, RejectedError, UnavailableError } from '../../errors.ts'
import type { Sending, Step } from '../../jobs/engine.ts'
import { codes, failedOutcome, type Outcome, Stop } from '../../jobs/outcome.ts'
import { runParallel } from '../../jobs/run-parallel.ts'
import { type Operation, pathTo, requestOf } from '../../operations/operation.ts'
import type { Run } from '../run.ts'
import { isMissing, isUnanswered, outcomeOfFailure } from './failures.ts'
import { changeTarget, contradiction, prepare, prove, type Stepping } from './step.ts'

interface Batching extends Stepping, Pick<Run, 'concurrency'> {
  readonly write: NonNullable<Operation['batch']>['write']
}

interface Batch extends Batching {
  /** Another target of the run was changed. */
  readonly accepted: boolean
  readonly outcomes: Map<Sending, Outcome>
}

type Work = (sending: Sending) => Promise<Outcome | undefined>

export function createBatchStep(stepping: Batching): Step {
  let isFirst = true
  return async (parcel, outcomes, accepted) => {
    const batch = { ...stepping, accepted, outcomes }
    const each = (sendings: readonly Sending[], work: Work) =>
      runParallel(sendings, stepping.concurrency, async sending => {
        const outcome = await work(sending)
        if (outcome) outcomes.set(sending, outcome)
      })
    const undecided = () => parcel.filter(sending => !outcomes.has(sending))
    // The ids may be distinct ids. A person who cannot be read does not show it, so the next one is read.
    for (const sending of isFirst ? parcel : []) {
      const outcome = await lookAt(batch, sending)
      if (outcome) outcomes.set(sending, outcome)
      isFirst = outcome?.status === 'failed' && outcome.error.name !== 'not-found'
      if (!isFirst) break
    }
    await each(undecided(), sending => save(batch, sending))
    const sent = undecided()
    if (sent.length === 0) return
    const work = await sendMany(batch, sent)
    await each(undecided(), work)
  }
}

/** The outcome of a person who is not there, or cannot be read. */
async function lookAt(batch: Batch, sending: Sending): Promise<Outcome | undefined> {
  const { maybeDone } = sending
  try {
    if (await batch.proof.isThere(sending.id)) return undefined
  } catch (error) {
    return outcomeOfFailure(error, { ...batch, maybeDone })
  }
  return missing(batch, sending)
}

/** After a 404, or an answer that does not find the person. */
function missing(batch: Batch, sending: Sending): Promise<Outcome | undefined> {
  const failure = new NotFoundError(`Person ${sending.id} was not found`, { status: 404 })
  return prove(batch, sending, failure)
}

/** A person who is there after all is read once more. */
async function save(batch: Batch, sending: Sending, isAgain = false): Promise<Outcome | undefined> {
  const { id, maybeDone } = sending
  try {
    await prepare(batch, sending)
    return undefined
  } catch (error) {
    if (!isMissing(error)) return outcomeOfFailure(error, { ...batch, maybeDone })
  }
  const proved = await missing(batch, sending)
  if (proved) return proved
  if (isAgain) throw contradiction(id)
  return save(batch, sending, true)
}

/** Sets the outcomes that the answer tells, which are kept whatever ends the run. Returns what is done with the others. */
async function sendMany(batch: Batch, sent: readonly Sending[]): Promise<Work> {
  const { client, scope, operation, write, accepted, outcomes, journal } = batch
  const deletesEvents = operation.deletesEvents === true
  const ids = sent.map(({ id }) => id)
  let isSent = false
  const check = () => {
    for (const { target } of sent) journal.begin(target)
    isSent = true
  }
  const unsent = ({ target, maybeDone }: Sending) => {
    if (!maybeDone) journal.unsent(target)
  }
  const orBefore = (isUnknown: boolean, one: Sending) => ({ ...one, maybeDone: isUnknown || one.maybeDone })
  try {
    const request = requestOf(client, pathTo(scope, '1'), write(ids))
    const { item, unanswered = false } = await client.answer({ ...request, check, undone: () => sent.forEach(unsent) })
    const counts = item && bulkCountsIn(item.value)
    if (queuesUnasked(counts, deletesEvents)) throw new Stop(unasked())
    const verdicts = verdictsOf(ids, counts, deletesEvents)
    for (const one of sent) {
      const verdict = verdicts.get(one.id)
      if (verdict === 'deleted') outcomes.set(one, { status: 'deleted', evidence: 'accepted' })
      if (verdict === 'failed') outcomes.set(one, refused(one))
      if (verdict === 'missing' && !unanswered) unsent(one)
    }
    return async one => {
      const sending = orBefore(unanswered, one)
      const look = verdicts.get(one.id) === 'missing' ? missing : lookAt
      return (await look(batch, sending)) ?? stillThere(one)
    }
  } catch (error) {
    const isUnknown = isSent && isUnanswered(error)
    if (!isUnknown) sent.forEach(unsent)
    if (error instanceof Stop) throw error
    if (isNotOffered(error)) throw new Stop(notOffered(error))
    return one => {
      const sending = orBefore(isUnknown, one)
      // One of them may be what the service cannot delete.
      if (isForEach(error)) return changeTarget(batch, sending, accepted)
      return Promise.resolve(outcomeOfFailure(error, { ...sending, accepted }))
    }
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

function refused({ id, maybeDone }: Sending): Outcome {
  const failure = new RejectedError(`The service could not delete person ${id}, as its deletion_errors say`, {
    code: codes.deletionError,
    hint: 'Resume to try it again; the log of the service may say why',
  })
  return failedOutcome(failure, maybeDone)
}

/** It was answered, so its absence later is no proof of this request, nor that its events went. */
function stillThere({ id, maybeDone }: Sending): Outcome {
  const failure = new RejectedError(`The counts of the service do not add up, and person ${id} is still there`, {
    code: codes.stillThere,
    hint: 'It may be deleted later: look again with analytics persons get',
  })
  return failedOutcome(failure, maybeDone)
}
