/** Proves that an object does not exist: a gateway may answer 404 to everything, from one moment to the next. */

import { isErrorPage, pageIn } from '../../api/answers/forms.ts'
import type { Client } from '../../api/client.ts'
import { ifThere } from '../../api/if-there.ts'
import { Failure, InterruptedError, isForbidden, RejectedError } from '../../errors.ts'
import type { Clock } from '../../host.ts'
import type { Proof } from '../../jobs/missing-targets.ts'
import { codes, failedOutcome, type Outcome } from '../../jobs/outcome.ts'
import type { Item } from '../../json/item.ts'
import {
  batchOf,
  faultFinder,
  listRequest,
  type Operation,
  readTarget,
  rowOf,
  targetName,
} from '../../operations/operation.ts'

/** `onRead` gets the id of each object that is there. */
export function createProof(client: Client, operation: Operation, onRead?: (id: string) => void): Proof {
  return {
    list: () => refuseWithoutList(client, operation),
    async exists(id) {
      const isThere = (await ifThere(readTarget(client, operation, id))) !== undefined
      if (isThere) onRead?.(id)
      return isThere
    },
  }
}

/** A 404 before the list proves nothing, so the object is read again after it. */
async function isProvedGone({ list, exists }: Proof, id: string): Promise<boolean> {
  if (await exists(id)) return false
  await list()
  return !(await exists(id))
}

/** Throws unless the project or organization answers a list of one with a page. */
async function refuseWithoutList(client: Client, operation: Operation): Promise<void> {
  try {
    const { item } = await client.answer(listRequest(client, operation))
    const page = item && pageIn(item)
    if (page && !page.isBareArray && !isErrorPage(page)) return
  } catch (error) {
    // A key for one project may not list projects.
    if (rowOf(operation).scope === undefined && isForbidden(error)) return
    throw error
  }
  throw new RejectedError('The service answers 404 for a target, and its list is not a page', {
    hint: 'Check the base URL and the project; a target without an outcome may still be there',
  })
}

interface Looking {
  readonly proof: Proof
  readonly operation: Operation
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Milliseconds between reads, because a server may answer before it has acted. */
const pauses = [500, 1000, 2000, 3500, 0]

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
  return { ...failedOutcome(failure), maybeDone: true, stops: true }
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

interface ReadBack {
  readonly client: Client
  readonly operation: Operation
  readonly clock: Pick<Clock, 'sleep'>
  readonly signal: AbortSignal
}

/** Returns a failure if the target does not show the change within 7 s; throws if that is unknown. */
export async function readBack(
  { client, operation, clock, signal }: ReadBack,
  id: string,
  before: Item,
): Promise<Failure | undefined> {
  const faultIn = faultFinder(operation)
  if (!faultIn) return undefined
  let failure: Failure | undefined
  try {
    for (const pause of pauses) {
      failure = faultIn({ id, before, after: await readTarget(client, operation, id) })
      if (!failure) return undefined
      if (pause > 0) await clock.sleep(pause, signal)
    }
  } catch (error) {
    if (!(error instanceof Failure) || error instanceof InterruptedError) throw error
    const what = `The change of ${targetName(operation, id)} was accepted, and it is not known whether it was made`
    throw error.reworded(`${what}: ${error.message}`)
  }
  return failure
}
