/** One writer at a time on one file, between processes. */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { UsageError } from '../errors.ts'
import type { Host } from '../host.ts'

/** Our writes take milliseconds: a lock of this age was left by somebody who is gone, wherever that was. */
const stale = 10_000
const patience = 30_000

export type Locking = Pick<Host, 'clock' | 'random' | 'processes'>

/**
 * Runs `work` while holding `path + '.lock'`. A lock whose process is gone is taken over at once.
 * Throws `UsageError` when somebody else holds it for half a minute.
 */
export async function locked<T>(path: string, locking: Locking, work: () => T | Promise<T>): Promise<T> {
  const { clock, random, processes } = locking
  const lock = `${path}.lock`
  const owner = `${hostname()} ${processes.own} ${random()}`
  for (let waited = 0; !take(lock, owner); ) {
    if (isLeft(lock, processes)) abandon(lock, owner, processes)
    else if (waited > patience)
      throw new UsageError(`${path} is in use`, { hint: `Remove ${lock} if nothing else runs` })
    const pause = 5 + random() * 20
    waited += pause
    await clock.sleep(pause)
  }
  try {
    return await work()
  } finally {
    // After a long stop, such as a laptop's sleep, it may be somebody else's by now.
    if (ownerOf(lock) === owner) rmSync(lock, { force: true })
  }
}

/** For a moment it does not say yet whose it is: then its age decides. */
function take(lock: string, owner: string): boolean {
  try {
    writeFileSync(lock, owner, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

function isLeft(lock: string, processes: Host['processes']): boolean {
  const [machine, pid] = ownerOf(lock)?.split(' ') ?? []
  if (machine === hostname() && pid !== undefined && !processes.isRunning(Number(pid))) return true
  // Real time on both sides: the file system knows no other.
  const made = statSync(lock, { throwIfNoEntry: false })?.mtimeMs
  return made !== undefined && Date.now() - made > stale
}

/** Under a lock of its own, so that of several who find it left none removes its successor. */
function abandon(lock: string, owner: string, processes: Host['processes']): void {
  const removal = `${lock}.removal`
  if (!take(removal, owner)) {
    if (isLeft(removal, processes)) rmSync(removal, { force: true })
    return
  }
  if (isLeft(lock, processes)) rmSync(lock, { force: true })
  rmSync(removal, { force: true })
}

function ownerOf(lock: string): string | undefined {
  try {
    return readFileSync(lock, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
