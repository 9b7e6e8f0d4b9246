/** Whether what was deleted is gone: the first few of a run, before the others go the same way. */
import type { Client } from '../api/client.ts'
import { NotFoundError, RejectedError } from '../errors.ts'
import type { Clock } from '../host.ts'
import { type Operation, readRequest } from '../operations/operations.ts'
import { runParallel } from './run-parallel.ts'

export interface ExistenceCheck {
  readonly client: Client
  readonly change: Operation
  readonly concurrency: number
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Milliseconds between one look and the next: a server may answer before it has deleted. */
const pauses = [500, 1000, 2000, 4000, 0]

/** Throws `RejectedError` when one of them can still be read after 7.5 s. */
export async function confirmGone(looking: ExistenceCheck, ids: readonly string[]): Promise<void> {
  const { change, clock, concurrency, signal } = looking
  await runParallel(ids, concurrency, async id => {
    for (const pause of pauses) {
      if (!(await exists(looking, id))) return
      if (pause > 0) await clock.sleep(pause, signal)
    }
    throw new RejectedError(`Stopped: the service said that it deleted ${id}, and it is still there`, {
      hint: `Look at it with analytics ${change.command.split(' ')[0]} get ${id} before the others are deleted`,
    })
  })
}

/** Reads a target. Throws whatever keeps it from being known. */
export async function exists(
  { client, change }: Pick<ExistenceCheck, 'client' | 'change'>,
  id: string,
): Promise<boolean> {
  try {
    const { body } = await client.send(readRequest(client, change, id))
    await body[Symbol.asyncIterator]().return?.()
    return true
  } catch (error) {
    if (error instanceof NotFoundError) return false
    throw error
  }
}
