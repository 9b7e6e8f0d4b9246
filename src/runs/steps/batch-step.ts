/** Deletes the persons of a batch with one request. */
import { bulkCountsIn, queuesUnasked, verdictsOf } from '../../api/answers/bulk-answer.ts'
import { type Failure, NotFoundError, RejectedError } from '../../errors.ts'
import type { Step } from '../../jobs/engine.ts'
import { codes, failedOutcome, type Outcome } from '../../jobs/outcome.ts'
import { runParallel } from '../../jobs/run-parallel.ts'
import { type Operation, pathTo, requestOf } from '../../operations/operation.ts'
import { countOf } from '../../text/grouped.ts'
import type { Run } from '../run.ts'
import { refuseDistinctIds } from './given-uuids.ts'
import { judge } from './judge.ts'
import { readTarget } from './read-target.ts'
import {
  changeTarget,
  conclude,
  contradiction,
  look,
  prepare,
  type Stepping,
  sendRecorded,
  settle,
  withUuid,
} from './step.ts'

interface Batching extends Stepping, Pick<Run, 'concurrency'> {
  readonly write: NonNullable<Operation['batch']>['write']
}

type Batch = readonly number[]

export function createBatchStep(run: Batching): Step {
  const { concurrency, state } = run
  const { signal } = state.stop
  let isSent = false
  let checked: Promise<void> | undefined
  let first: Promise<void> | undefined
  const send = async (open: Batch) => {
    const saved: number[] = []
    await runParallel(open, concurrency, async target => {
      if (await save(run, target)) saved.push(target)
    })
    const sent = saved.sort((a, b) => a - b)
    if (sent.length === 0 || signal.aborted) return
    isSent = true
    await runParallel(...(await sendBatch(run, sent)))
  }
  const sendFirst = async (batch: Batch) => {
    checked ??= refuseDistinctIds(run)
    await checked
    if (!signal.aborted) await send(await readFirst(run, batch))
  }
  return async batch => {
    // Whether the server knows such a request must be known before a second one is sent.
    while (first) await first
    if (signal.aborted) return
    if (isSent) return send(batch)
    first = sendFirst(batch)
    try {
      await first
    } finally {
      first = undefined
    }
  }
}

/**
 * The ids may be distinct ids, so one person is read before the first request: the first who can be. Returns the targets
 * that are still open; none if the next batch must begin with such a read too.
 */
async function readFirst(run: Batching, batch: Batch): Promise<Batch> {
  for (const [i, target] of batch.entries()) {
    const read = await readTarget(
      { ...run, of: run.operation.of, hasSucceeded: run.state.hasSucceeded },
      idOf(run, target),
    )
    if (read.is === 'there') {
      run.journal.noteSeen()
      return batch.slice(i)
    }
    if (read.is === 'look') {
      const looked = await look(run, target, read.failure)
      return looked === 'there' ? batch.slice(i) : batch.slice(i + 1)
    }
    conclude(run, target, read)
    if (read.is === 'stop') break
  }
  return []
}

/** False if the target has its outcome. A person who is there after all is read once more. */
async function save(run: Batching, target: number): Promise<boolean> {
  for (const isLast of [false, true]) {
    const read = await prepare(run, target)
    if (!read || read.is === 'there') return true
    if (read.is !== 'look') {
      conclude(run, target, read)
      return false
    }
    const looked = await look(run, target, read.failure)
    if (looked !== 'there') return false
    if (isLast) run.state.stop.abort(contradiction(idOf(run, target)))
  }
  return false
}

type Work = (target: number) => Promise<void>

/** Settles the targets that the response names. Returns the pending ones, with the next step for each. */
async function sendBatch(run: Batching, sent: Batch): Promise<[Batch, number, Work]> {
  const { client, scope, operation, write, state, concurrency, journal } = run
  const ids = sent.map(target => idOf(run, target))
  const request = write(ids)
  const response = await sendRecorded(run, sent, requestOf(client, pathTo(scope, '1'), request))
  const verdict = judge(request, response, state.hasSucceeded)
  const nothing: [Batch, number, Work] = [[], concurrency, async () => undefined]
  if (verdict.is === 'done') {
    const counts = verdict.item && bulkCountsIn(verdict.item.value)
    const isUnasked = queuesUnasked(counts, operation.deletesEvents === true)
    if (counts && counts.persons_found > 0) journal.noteSeen()
    const verdicts = verdictsOf(ids, counts, operation.deletesEvents === true)
    const verdictOf = (target: number) => verdicts.get(idOf(run, target))
    const outcomes = new Map<number, Outcome>()
    for (const target of sent) {
      const told = verdictOf(target)
      if (told === 'deleted' || (isUnasked && told === 'unknown')) outcomes.set(target, withUuid(run, target, accepted))
      if (told === 'failed') outcomes.set(target, failedOutcome(deletionError(idOf(run, target))))
    }
    const left = sent.filter(target => !outcomes.has(target))
    // The response does not say that they were deleted, so their absence later is no proof of this request.
    journal.noteNothing(left)
    if (isUnasked) journal.noteUnaskedEvents(Math.max(1, outcomes.size))
    state.settle(outcomes)
    if (isUnasked) {
      state.stop.abort(unasked(Math.max(1, outcomes.size)))
      return nothing
    }
    return [left, concurrency, target => lookAfter(run, target, verdictOf(target) === 'missing')]
  }
  const { failure } = verdict
  if (isNotOffered(failure)) {
    state.stop.abort(notOffered(failure))
    return nothing
  }
  // One of them may be what the server cannot delete.
  if (verdict.is === 'failed' && isForEach(failure)) return [sent, concurrency, target => changeTarget(run, target)]
  if (verdict.is !== 'look') for (const target of sent) conclude(run, target, verdict)
  return nothing
}

const accepted: Outcome = { status: 'deleted', evidence: 'accepted' }

/** Of a person whom the response does not find, or does not tell about. */
async function lookAfter(run: Batching, target: number, isMissing: boolean): Promise<void> {
  const id = idOf(run, target)
  if (!isMissing) {
    const read = await readTarget({ ...run, of: run.operation.of, hasSucceeded: run.state.hasSucceeded }, id)
    if (read.is === 'there') return settle(run, target, failedOutcome(stillThere(id)))
    if (read.is !== 'look') return conclude(run, target, read)
  }
  const looked = await look(run, target, new NotFoundError(`Person ${id} was not found`, { status: 404 }))
  if (looked === 'there') settle(run, target, failedOutcome(stillThere(id)))
}

function idOf({ targets }: Pick<Batching, 'targets'>, target: number): string {
  return targets[target] ?? ''
}

/** A server without `bulk_delete` takes it for the id of a person, or for an unknown path. */
function isNotOffered({ facts: { status } }: Failure): boolean {
  return status === 404 || status === 405
}

function notOffered({ facts }: Failure): RejectedError {
  return new RejectedError(`The server does not support bulk_delete, which --batch needs (status ${facts.status})`, {
    ...facts,
    hint: 'Run the command again without --batch',
  })
}

/** After an error of the server, no response, or a refusal of the request as it is, each person is sent alone. */
function isForEach({ exit, facts: { status = 0 } }: Failure): boolean {
  return exit === 7 || status === 400 || status === 413
}

function unasked(persons: number): RejectedError {
  return new RejectedError(
    `The server queued the events of ${countOf(persons, 'person', 'persons')} for deletion although --delete-events was not given`,
    {
      hint: 'The run stopped. Ask the operator of the service why',
    },
  )
}

function deletionError(id: string): RejectedError {
  return new RejectedError(`The server could not delete person ${id}, which is in deletion_errors of the response`, {
    code: codes.deletionError,
    hint: 'Resume the job to retry. The log of the server may have the reason',
  })
}

function stillThere(id: string): RejectedError {
  return new RejectedError(`The counts in the response do not add up, and person ${id} is still there`, {
    code: codes.stillThere,
    hint: 'It may be deleted later. To check: analytics persons get',
  })
}
