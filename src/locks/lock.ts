import { closeSync, lstatSync, openSync, rmSync } from 'node:fs'
import { UsageError } from '../errors.ts'
import { notRegular, readRegularFile } from '../files/regular-file.ts'
import { codeOf } from '../files/system-error.ts'
import { writeAll } from '../files/write.ts'
import type { Host, Processes } from '../host.ts'
import { type Holder, isHeld, leasePeriod, ownHolder } from './holder.ts'

export type LockHost = Pick<Host, 'clock' | 'random' | 'processes'>

/** Throws `UsageError` if another process holds the lock for half a minute. */
export async function locked<T>(path: string, locking: LockHost, work: () => T | Promise<T>): Promise<T> {
  const { clock, random, processes } = locking
  const lock = `${path}.lock`
  let release = tryLock(lock, processes)
  for (let waited = 0; !release; release = tryLock(lock, processes)) {
    if (waited > leasePeriod) {
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

/** Returns a function that releases the lock; undefined while a running process holds it. */
export function tryLock(path: string, processes: Pick<Processes, 'own' | 'isRunning'>): (() => void) | undefined {
  while (!tryCreate(path, JSON.stringify(ownHolder(processes)))) {
    const state = stateOf(path, processes)
    if (state === 'held' || (state === 'left' && !removeLeft(path, processes))) return undefined
  }
  return () => rmSync(path, { force: true })
}

/** Needs a lock too: between check and removal, the file may become a newer lock. False while another removes it. */
function removeLeft(path: string, processes: Pick<Processes, 'own' | 'isRunning'>): boolean {
  const release = tryLock(`${path}.left`, processes)
  if (!release) return false
  try {
    if (stateOf(path, processes) === 'left') rmSync(path, { force: true })
  } finally {
    release()
  }
  return true
}

function stateOf(path: string, processes: Pick<Processes, 'isRunning'>): 'missing' | 'held' | 'left' {
  let text: string
  try {
    text = readRegularFile(path).toString()
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EISDIR' || code === notRegular) {
      const what = code === notRegular ? 'no regular file' : 'a folder'
      throw new UsageError(`${path} is ${what}, where a lock should be`, { hint: 'Remove it' })
    }
    if (code !== 'ENOENT') return 'held'
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? 'left' : 'missing'
  }
  return isHeld(path, holderIn(text), processes) ? 'held' : 'left'
}

/** Undefined for a file that is being written, or that a power loss damaged. */
function holderIn(text: string): Holder | undefined {
  try {
    return (JSON.parse(text) as Holder | null) ?? undefined
  } catch {
    return undefined
  }
}

/** Not by a hard link to a complete file: some file systems have none. */
function tryCreate(path: string, text: string): boolean {
  let isOurs = false
  try {
    const file = openSync(path, 'wx', 0o600)
    isOurs = true
    try {
      writeAll(file, text)
    } finally {
      closeSync(file)
    }
    return true
  } catch (error) {
    if (isOurs) rmSync(path, { force: true })
    else if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}
