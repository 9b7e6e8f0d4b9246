/** One writer at a time on one file, between processes. */
import { closeSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { UsageError } from '../errors.ts'
import type { Clock } from '../host.ts'

/** Our writes take a millisecond: a lock of this age was left by a process that is gone. */
const stale = 10_000
const patience = 30_000

/**
 * Runs `work` while holding `path + '.lock'`. A lock left behind by a killed process is taken over.
 * Throws `UsageError` when somebody else holds it for half a minute.
 */
export async function locked<T>(
  path: string,
  clock: Clock,
  random: () => number,
  work: () => T | Promise<T>,
): Promise<T> {
  const lock = `${path}.lock`
  for (let waited = 0; !take(lock); ) {
    if (Date.now() - ageOf(lock) > stale) abandon(lock, random)
    else if (waited > patience)
      throw new UsageError(`${path} is in use`, { hint: `Remove ${lock} if nothing else runs` })
    const pause = 5 + random() * 20
    waited += pause
    await clock.sleep(pause)
  }
  try {
    return await work()
  } finally {
    rmSync(lock, { force: true })
  }
}

function take(lock: string): boolean {
  try {
    closeSync(openSync(lock, 'wx', 0o600))
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** When the lock was made; now, if it has just gone. Real time on both sides: the file system knows no other. */
function ageOf(lock: string): number {
  return statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
}

/** By renaming, so that of several who find it stale only one removes it and none removes its successor. */
function abandon(lock: string, random: () => number): void {
  const aside = `${lock}.${random().toString(36).slice(2)}`
  try {
    renameSync(lock, aside)
    // Between the look and the renaming another may have taken it over: then this is a fresh one, and goes back.
    if (Date.now() - ageOf(aside) < stale) linkSync(aside, lock)
    rmSync(aside, { force: true })
  } catch {
    // Somebody else was faster.
  }
}
