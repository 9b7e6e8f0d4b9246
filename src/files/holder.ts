/** Which process holds something that outlives it, and whether that process has ended. */
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Processes } from '../host.ts'

export interface Holder {
  /** What a process id belongs to: the boot and the PID namespace, empty where the system has no `/proc`. */
  readonly boot: string
  readonly host: string
  readonly pid: number
  /** When the process began, in ticks since the boot: a process id is used again. Empty where it is not known. */
  readonly began: string
}

export function ownHolder({ own }: Pick<Processes, 'own'>): Holder {
  return { boot: bootOf(), host: hostname(), pid: own, began: beginOf(own) }
}

/** True or false where this process can see the holder; undefined for one elsewhere, which only its lease can tell. */
export function hasEnded(holder: Holder, { isRunning }: Pick<Processes, 'isRunning'>): boolean | undefined {
  const boot = bootOf()
  if (holder.boot !== boot || (boot === '' && holder.host !== hostname())) return undefined
  if (!isRunning(holder.pid)) return true
  // Without a start time the process may be another one that has got the same id.
  if (holder.began === '') return undefined
  return beginOf(holder.pid) !== holder.began
}

export function describeHolder({ pid, host }: Holder): string {
  return `process ${pid} on ${host}`
}

function bootOf(): string {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return ''
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
