import { bulkCountsIn, queuesUnasked, verdictsOf } from '../../api/responses/bulk-response.ts'
import { canonicalId, idsIn } from '../../api/responses/record-identity.ts'
import { Failure, NotFoundError, RejectedError } from '../../errors.ts'
import type { Step } from '../../jobs/engine.ts'
import { codes, failedOutcome, type Outcome } from '../../jobs/outcome.ts'
import { batchesOf, runParallel } from '../../jobs/run-parallel.ts'
import type { Item } from '../../json/read-item.ts'
import type { Operation } from '../../operations/operation.ts'
import { findOwners, mostAtOnce } from '../../targets/person-lookups.ts'
import { actOn, conclude, look, settle } from './conclude.ts'
import { judge } from './judge.ts'
import { distinctIdGiven, type StepContext } from './proof.ts'
import { readTarget } from './read-target.ts'
import { changeTarget, prepare, sendRecorded } from './step.ts'

interface BatchContext extends StepContext {
  readonly write: NonNullable<Operation['batch']>['write']
}

type Batch = readonly number[]

export function createBatchStep(run: BatchContext): Step {
  let isOpen: Promise<boolean> | undefined
  return async batch => {
    const wasOpen = isOpen ?? refuseDistinctIds(run).then(() => false)
    // The first response shows whether the server offers `bulk_delete`, so the second request waits for it.
    const isOpenNow = wasOpen.then(isLater => isLater || sendFirst(run, batch))
    isOpen = isOpenNow
    await isOpenNow
    if (await wasOpen) await sendReady(run, batch)
  }
}

async function sendFirst(run: BatchContext, batch: Batch): Promise<boolean> {
  return !isStopped(run) && sendReady(run, await readFirst(run, batch))
}

async function sendReady(run: BatchContext, batch: Batch): Promise<boolean> {
  const ready: number[] = []
  await runParallel(batch, run.concurrency, async target => {
    if (await actOn(run, target, () => prepare(run, target))) ready.push(target)
  })
  if (ready.length === 0 || isStopped(run)) return false
  await sendBatch(
    run,
    ready.sort((a, b) => a - b),
  )
  return true
}

function isStopped({ state }: BatchContext): boolean {
  return state.stop.signal.aborted
}

/**
 * A given UUID may be the distinct id of another person. Looks up all of them as distinct ids, where the server can do that for
 * many at a time, else the first. Looks up each id of an unclear response alone. Stops the run at a distinct id.
 */
async function refuseDistinctIds(run: BatchContext): Promise<void> {
  const { client, concurrency, journal, lists, scope, state, values } = run
  if (!values.isGiven) return
  const reader = { client, project: () => scope.project_id ?? '' }
  const lookUpAlone = async (id: string) => {
    if (isStopped(run)) return
    const named = await lists.readNamed({ by: 'distinctId', name: id })
    if (named instanceof Failure) state.stop.abort(named)
    else if (named.some(own => !own.includes(canonicalId(id)))) state.stop.abort(distinctIdGiven(id))
  }
  let isOffered = false
  for (const batch of batchesOf(journal.remaining(), mostAtOnce)) {
    const ids = batch.map(target => targetId(run, target))
    const owners = await findOwners(reader, ids)
    if (owners === 'not offered' && !isOffered) return lookUpAlone(ids[0] ?? '')
    isOffered = true
    if (typeof owners === 'string') await runParallel(ids, concurrency, lookUpAlone)
    else {
      const other = [...owners].find(([id, { value }]) => !idsIn(value).includes(canonicalId(id)))
      if (other) state.stop.abort(distinctIdGiven(other[0]))
    }
    if (isStopped(run)) return
  }
}

/**
 * The ids may be distinct ids, so one person is read before the first request: the first who can be. Returns the targets
 * that are still open; none if the next batch must begin with such a read too.
 */
async function readFirst(run: BatchContext, batch: Batch): Promise<Batch> {
  for (const [i, target] of batch.entries()) {
    const read = await readTarget(run, run.operation.collection, targetId(run, target))
    if (read.is === 'there') {
      run.journal.noteSeen()
      return batch.slice(i)
    }
    if (read.is === 'look') {
      const isThere = await look(run, target, read.failure)
      return batch.slice(isThere ? i : i + 1)
    }
    conclude(run, target, read)
    if (isStopped(run)) break
  }
  return []
}

async function sendBatch(run: BatchContext, sent: Batch): Promise<void> {
  const { write, state, concurrency } = run
  const request = write(sent.map(target => targetId(run, target)))
  const response = await sendRecorded(run, sent, '', request)
  const verdict = judge(request, response)
  if (verdict.is === 'done') return concludeBatch(run, sent, verdict.item)
  const { failure } = verdict
  if (isNotOffered(failure)) return state.stop.abort(notOffered(failure))
  // One of them may be what the server cannot delete. A proxy may refuse the length of the request with a page.
  if ((verdict.is === 'failed' && failure.exit === 7) || isRefused(failure)) {
    return runParallel(sent, concurrency, target => changeTarget(run, target))
  }
  if (verdict.is !== 'look') for (const target of sent) conclude(run, target, verdict)
}

/** Settles the targets that the response names, and looks for the others. */
async function concludeBatch(run: BatchContext, sent: Batch, item: Item | undefined): Promise<void> {
  const { operation, state, concurrency, journal } = run
  const deletesEvents = operation.deletesEvents === true
  const counts = item && bulkCountsIn(item.value)
  const isUnasked = queuesUnasked(counts, deletesEvents)
  if (counts && counts.persons_found > 0) journal.noteSeen()
  const ids = sent.map(target => targetId(run, target))
  const verdicts = verdictsOf(ids, counts, deletesEvents)
  const verdictOf = (target: number) => verdicts.get(targetId(run, target))
  const outcomes = new Map<number, Outcome>()
  for (const target of sent) {
    const verdict = verdictOf(target)
    if (verdict === 'deleted' || (isUnasked && verdict === 'unknown')) outcomes.set(target, accepted)
    if (verdict === 'failed') outcomes.set(target, failedOutcome(deletionError(targetId(run, target))))
  }
  const left = sent.filter(target => !outcomes.has(target))
  // The response does not say that they were deleted, so their absence later is no proof of this request.
  journal.noteNothing(left)
  if (isUnasked) journal.noteUnaskedEvents(Math.max(1, outcomes.size))
  state.settle(outcomes)
  if (isUnasked) return state.stop.abort(unaskedEvents())
  await runParallel(left, concurrency, target => lookAfter(run, target, verdictOf(target) === 'missing'))
}

const accepted: Outcome = { status: 'deleted', evidence: 'accepted' }

/** For a person whom the response reports as not found, or does not name. */
async function lookAfter(run: BatchContext, target: number, isMissing: boolean): Promise<void> {
  const id = targetId(run, target)
  if (!isMissing) {
    const read = await readTarget(run, run.operation.collection, id)
    if (read.is === 'there') return settle(run, target, failedOutcome(stillThere(id)))
    if (read.is !== 'look') return conclude(run, target, read)
  }
  const isThere = await look(run, target, new NotFoundError(`Person ${id} was not found`, { status: 404 }))
  if (isThere) settle(run, target, failedOutcome(stillThere(id)))
}

function targetId({ targets }: Pick<BatchContext, 'targets'>, target: number): string {
  return targets[target] ?? ''
}

/** A server without `bulk_delete` reads it as the id of a person, or as an unknown path. */
function isNotOffered({ details: { status } }: Failure): boolean {
  return status === 404 || status === 405
}

function notOffered({ details }: Failure): RejectedError {
  return new RejectedError(`The server does not support bulk_delete, which --batch needs (status ${details.status})`, {
    ...details,
    hint: 'Run the command again without --batch',
  })
}

/** The server refuses the batch as a whole. */
function isRefused({ details: { status } }: Failure): boolean {
  return status === 400 || status === 413
}

/** The summary tells how many. */
function unaskedEvents(): RejectedError {
  return new RejectedError('Stopped: the server queued events for deletion although --delete-events was not given', {
    hint: 'Ask the operator of the service why',
  })
}

function deletionError(id: string): RejectedError {
  return new RejectedError(`The server could not delete person ${id} (named in deletion_errors of the response)`, {
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
