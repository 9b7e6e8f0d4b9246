/** One writer at a time on one file, between processes: the others wait. */
import { UsageError } from '../errors.ts'
import { tryLock } from '../files/lock.ts'
import type { Host } from '../host.ts'

/** Our writes take milliseconds: whoever holds a lock for so long, in ms, will not give it back. */
const patience = 30_000

export type Locking = Pick<Host, 'clock' | 'random' | 'processes'>

/** Runs `work` while holding `path + '.lock'`. Throws `UsageError` when somebody else holds it for half a minute. */
export async function locked<T>(path: string, locking: Locking, work: () => T | Promise<T>): Promise<T> {
  const { clock, random, processes } = locking
  const lock = `${path}.lock`
  let release = tryLock(lock, processes)
  for (let waited = 0; !release; release = tryLock(lock, processes)) {
    if (waited > patience) {
      throw new UsageError(`${path} is in use`, { hint: `Remove ${lock} if nothing else runs` })
    }
    const pause = 5 + random() * 20
    waited += pause
    await clock.sleep(pause)
  }
  try {
    return await work()
  } finally {
    release()
  }
}
