/** Reads a target after its writes, because some servers accept what they do not do. */
import type { Client } from '../../api/client.ts'
import { Failure, InterruptedError } from '../../errors.ts'
import type { Clock } from '../../host.ts'
import type { Item } from '../../json/item.ts'
import { judgeChange, type Operation, readTarget, targetName } from '../operation.ts'
import { pauses } from './confirm-gone.ts'

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
  const judge = judgeChange(operation)
  if (!judge) return undefined
  let failure: Failure | undefined
  try {
    for (const pause of pauses) {
      failure = judge({ id, before, after: await readTarget(client, operation, id) })
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
