import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { UsageError } from '../errors.ts'
import type { Processes } from '../host.ts'
import { ageOf } from './age.ts'
import { type Holder, hasEnded, ownHolder } from './holder.ts'
import { codeOf } from './system-error.ts'
import { patiently } from './windows-files.ts'

/** In ms, for a holder that this process cannot see. */
export const lockPeriod = 30_000

/** Returns the function that releases the lock; undefined while a running process holds it. */
export function tryLock(path: string, processes: Pick<Processes, 'own' | 'isRunning'>): (() => void) | undefined {
  const own = `${path}.${processes.own}-${Math.random().toString(36).slice(2, 10)}`
  try {
    writeFileSync(own, JSON.stringify(ownHolder(processes)), { mode: 0o600 })
    while (!tryLink(own, path)) {
      if (isHeld(path, processes)) return undefined
      // Only one of several processes can rename a lock that was left behind.
      const aside = `${own}.left`
      if (!tryRename(path, aside)) continue
      const stolen = isHeld(aside, processes)
      // Another process took the lock over in between, so it gets it back.
      if (stolen) tryLink(aside, path)
      rmSync(aside, { force: true })
      if (stolen) return undefined
    }
  } finally {
    rmSync(own, { force: true })
  }
  return () => patiently(() => rmSync(path, { force: true }))
}

function isHeld(path: string, processes: Pick<Processes, 'isRunning'>): boolean {
  const holder = read(path)
  if (!holder) return false
  return !(hasEnded(holder, processes) ?? ageOf(path) > lockPeriod)
}

function read(path: string): Holder | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`${path} is a folder, where a lock should be`, { hint: 'Remove it' })
  }
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder
  } catch {
    return undefined
  }
}

function tryLink(from: string, to: string): boolean {
  return tried(() => linkSync(from, to), 'EEXIST')
}

function tryRename(from: string, to: string): boolean {
  return tried(() => renameSync(from, to), 'ENOENT')
}

function tried(act: () => void, expected: string): boolean {
  try {
    patiently(act)
    return true
  } catch (error) {
    if (codeOf(error) === expected) return false
    throw error
  }
}
