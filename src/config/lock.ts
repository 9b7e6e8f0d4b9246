import { UsageError } from '../errors.ts'
import type { Host } from '../host.ts'
import { tryLock } from '../locks/lock.ts'

/** Milliseconds. A write takes a few, so an older lock was left behind. */
const patience = 30_000

export type LockHost = Pick<Host, 'clock' | 'random' | 'processes'>

/** Throws `UsageError` if another process holds the lock for half a minute. */
export async function locked<T>(path: string, locking: LockHost, work: () => T | Promise<T>): Promise<T> {
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
