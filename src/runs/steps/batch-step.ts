/** Deletes the persons of a parcel with one request, and reads those whose deletion its answer leaves open. */
import type { BulkCounts } from '../../api/answers/bulk-counts.ts'
import { canonicalId } from '../../api/answers/record-identity.ts'
import { ifThere } from '../../api/if-there.ts'
import { Failure, NotFoundError, RejectedError, UnavailableError } from '../../errors.ts'
import type { Missing, Proof } from '../../jobs/missing-targets.ts'
import { codes, failedOutcome, type Outcome } from '../../jobs/outcome.ts'
import { parcelsOf, runParallel } from '../../jobs/run-parallel.ts'
import { type RunStep, type Sending, Stop } from '../../jobs/step.ts'
import { textAt } from '../../json/exact.ts'
import { deletesEvents, type Operation, readTarget, targetName, writeOfMany } from '../../operations/operation.ts'
import { countsFor, toldBy } from './bulk-answer.ts'
import { isUnanswered, outcomeOfFailure, provedOutcome } from './outcome-of-failure.ts'
import { prepare, type StepOptions } from './step.ts'

interface BatchOptions extends StepOptions {
  readonly proof: Proof
  readonly concurrency: number
}

interface Offer extends BatchOptions {
  /** The service has answered a request for many targets in this run. */
  readonly isOffered: boolean
}

/** A target that is sent. */
interface Sent extends Sending {
  /** The run read it less than a minute before. */
  readonly wasThere: boolean
}

type Outcomes = ReadonlyMap<string, Outcome | Missing>

export function createBatchStep(options: BatchOptions): RunStep {
  const { operation, concurrency, reads } = options
  let isOffered = false
  return async parcel => {
    const unsent = new Map<string, Outcome | Missing>()
    const isRecent = new Map<string, () => boolean>()
    await runParallel(parcel, concurrency, async sending => {
      const { id } = sending
      try {
        isRecent.set(id, (await prepare(options, sending)).isRecent)
      } catch (error) {
        unsent.set(id, outcomeOfFailure(error, operation, { ...sending, wasThere: false }))
      }
    })
    const sent = parcel.flatMap(sending => {
      const { id } = sending
      const wasThere = isRecent.get(id)?.() || reads.isRecent(id)
      return unsent.has(id) ? [] : [{ ...sending, wasThere }]
    })
    const answered: Outcomes = sent.length === 0 ? new Map() : await send({ ...options, isOffered }, sent)
    isOffered ||= [...answered.values()].some(({ status }) => status === 'deleted')
    const outcomes = new Map([...unsent, ...answered])
    return parcel.flatMap(({ id }) => outcomes.get(id) ?? [])
  }
}

async function send(options: Offer, sent: readonly Sent[]): Promise<Outcomes> {
  const { client, operation } = options
  const ids = sent.map(({ id }) => id)
  const request = writeOfMany(client, operation, ids)
  let counts: BulkCounts | undefined
  let answered = sent
  try {
    const answer = await client.answer(request)
    if (answer.unanswered) answered = sent.map(one => ({ ...one, maybeDone: true }))
    counts = countsFor(request, answer, sent.length)
  } catch (error) {
    const unanswered = isUnanswered(error)
    if (isNotOffered(error)) throw new Stop(notOffered(error, options), !unanswered)
    const failedBy = (one: Sent) =>
      outcomeOfFailure(error, operation, { ...one, maybeDone: unanswered || one.maybeDone })
    return new Map(sent.map(one => [one.id, failedBy(one)]))
  }
  try {
    return await outcomesBy(options, answered, counts)
  } catch (error) {
    // What the service accepted may be done.
    throw new Stop(error, false)
  }
}

/** A server without `bulk_delete` takes it for the id of a person, or for an unknown path. */
function isNotOffered(error: unknown): error is Failure {
  return error instanceof NotFoundError || (error instanceof Failure && error.facts.status === 405)
}

function notOffered({ facts }: Failure, { isOffered }: Offer): RejectedError {
  const [message, hint] = isOffered
    ? [
        'The service does not answer bulk_delete any more',
        'Check what stands between here and the service, then resume',
      ]
    : ['The service has no bulk_delete, which --batch needs', 'Run the command again without --batch']
  return new RejectedError(`${message} (status ${facts.status})`, { ...facts, hint })
}

async function outcomesBy(
  options: BatchOptions,
  sent: readonly Sent[],
  counts: BulkCounts | undefined,
): Promise<Outcomes> {
  const { operation } = options
  const keys = new Map(sent.map(one => [canonicalId(one.id), one]))
  const { failed, doubtful, found, isUnnamed } = await toldBy(counts, new Set(keys.keys()), number =>
    uuidOf(options, number),
  )
  const isThere = await readEach(options, doubtful)
  const areTooMany = [...isThere.values()].filter(one => one === true).length > found
  const outcomeOf = (key: string, one: Sent): Outcome => {
    if (failed.has(key)) return refused(one)
    const there = doubtful.has(key) ? isThere.get(key) : undefined
    if (there === undefined || (there === true && !areTooMany)) return { status: 'deleted', evidence: 'accepted' }
    if (there === true) return isUnnamed ? refused(one) : notFoundAndThere(one)
    return there === false ? goneOutcome(operation, one) : { ...failedOutcome(there), maybeDone: true }
  }
  return new Map([...keys].map(([key, one]) => [one.id, outcomeOf(key, one)]))
}

/** Undefined for a number that nobody has any more. */
async function uuidOf({ client, operation }: BatchOptions, number: number): Promise<string | undefined> {
  const person = await ifThere(readTarget(client, operation, String(number)))
  return person && textAt(person.value, 'uuid')
}

/** Persons whose absence is proved with one list. */
const together = 100

/**
 * Whether each of them is there, with the failure where the service does not tell. A gateway may answer 404 to everything
 * for a while, so a 404 counts only when it comes once more after a list. Throws if the service does not answer the list.
 */
async function readEach(
  { proof, concurrency }: BatchOptions,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, boolean | UnavailableError>> {
  const isThere = new Map<string, boolean | UnavailableError>()
  const readAll = (group: readonly string[]) =>
    runParallel(group, concurrency, async id => {
      isThere.set(id, await proof.exists(id).catch(orUnavailable))
    })
  for (const group of parcelsOf(ids, together)) {
    await readAll(group)
    await proof.list()
    await readAll(group.filter(id => isThere.get(id) === false))
  }
  return isThere
}

function orUnavailable(error: unknown): UnavailableError {
  if (error instanceof UnavailableError) return error
  throw error
}

function goneOutcome(operation: Operation, one: Sent): Outcome {
  const failure = new NotFoundError(`${capital(targetName(operation, one.id))} was not found`, { status: 404 })
  // The answer does not tell whose events were queued.
  return provedOutcome(failure, operation, { ...one, wasThere: one.wasThere || deletesEvents(operation) })
}

function capital(text: string): string {
  return text.replace(/^./, letter => letter.toUpperCase())
}

/** A part of the deletion may be done. */
function refused({ id }: Sent): Outcome {
  const failure = new RejectedError(`The service could not delete person ${id}, as its deletion_errors say`, {
    code: codes.deletionError,
    hint: 'Resume to try it again; the log of the service may say why',
  })
  return { ...failedOutcome(failure), maybeDone: true }
}

function notFoundAndThere({ id }: Sent): Outcome {
  const failure = new RejectedError(`Stopped: the service did not count person ${id}, and shows it when it is read`, {
    code: codes.stillThere,
    hint: 'Look at some of them with analytics persons get before you delete more',
  })
  return { ...failedOutcome(failure), maybeDone: true, stops: true }
}
