import { linkSync, lstatSync, rmSync, writeFileSync } from 'node:fs'
import { UsageError } from '../errors.ts'
import { randomSuffix } from '../files/random-suffix.ts'
import { notRegular, readRegularFile } from '../files/regular-file.ts'
import { codeOf } from '../files/system-error.ts'
import { retryWhileOpen } from '../files/windows-files.ts'
import type { Processes } from '../host.ts'
import { ageOf } from './age.ts'
import { type Holder, hasEnded, ownHolder } from './holder.ts'

/** Milliseconds; for a holder that this process cannot see. */
export const lockPeriod = 30_000

/** Returns a function that releases the lock; undefined while a running process holds it. */
export function tryLock(path: string, processes: Pick<Processes, 'own' | 'isRunning'>): (() => void) | undefined {
  const own = `${path}.${processes.own}-${randomSuffix()}`
  try {
    writeFileSync(own, JSON.stringify(ownHolder(processes)), { mode: 0o600 })
    while (!tryLink(own, path)) {
      const state = stateOf(path, processes)
      if (state === 'held' || (state === 'left' && !removeLeft(path, processes))) return undefined
    }
  } finally {
    rmSync(own, { force: true })
  }
  return () => retryWhileOpen(() => rmSync(path, { force: true }))
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
  const holder = holderIn(text)
  return holder && !(hasEnded(holder, processes) ?? ageOf(path) > lockPeriod) ? 'held' : 'left'
}

/** Undefined for a file damaged by a power loss. */
function holderIn(text: string): Holder | undefined {
  try {
    return (JSON.parse(text) as Holder | null) ?? undefined
  } catch {
    return undefined
  }
}

function tryLink(from: string, to: string): boolean {
  try {
    retryWhileOpen(() => linkSync(from, to))
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}
