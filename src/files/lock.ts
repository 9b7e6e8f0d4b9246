/** One process at a time on one thing. Whoever is killed leaves the lock behind, and it holds nobody back. */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Processes } from '../host.ts'

/** Who holds a lock: a process id alone would be another's some day. */
interface Holder {
  readonly machine: string
  readonly pid: number
  /** When the process began, in the words of the system; empty where it does not say. */
  readonly began: string
}

/** Takes the lock and returns what gives it back; undefined while a running process holds it. */
export function tryLock(path: string, processes: Pick<Processes, 'own' | 'isRunning'>): (() => void) | undefined {
  const mine: Holder = { machine: hostname(), pid: processes.own, began: beginOf(processes.own) }
  const own = `${path}.${processes.own}-${Math.random().toString(36).slice(2, 10)}`
  try {
    writeFileSync(own, JSON.stringify(mine), { mode: 0o600 })
    while (!tryLink(own, path)) {
      if (isHeld(path, processes)) return undefined
      // By renaming, so that of several who find it left behind only one takes it away.
      const aside = `${own}.left`
      if (!tryRename(path, aside)) continue
      const stolen = isHeld(aside, processes)
      // Meanwhile another had taken it over: it goes back to them.
      if (stolen) tryLink(aside, path)
      rmSync(aside, { force: true })
      if (stolen) return undefined
    }
  } finally {
    rmSync(own, { force: true })
  }
  return () => rmSync(path, { force: true })
}

/** Whether a running process holds the lock; of one on another machine nobody here can tell, so it does. */
export function isHeld(path: string, { isRunning }: Pick<Processes, 'isRunning'>): boolean {
  const holder = read(path)
  if (!holder) return false
  if (holder.machine !== hostname()) return true
  return isRunning(holder.pid) && beginOf(holder.pid) === holder.began
}

/** Undefined where there is no lock, or a damaged one. */
function read(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder
  } catch {
    return undefined
  }
}

/** The 22nd field of Linux's `/proc/PID/stat`, counted behind the name, which may hold anything. */
function beginOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
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
    act()
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === expected) return false
    throw error
  }
}
