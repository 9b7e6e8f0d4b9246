/** The process that works on a file: on a lock, or on the journal of a job. */
import { readFileSync, readlinkSync, rmSync, type Stats, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, platform } from 'node:os'
import { dirname, join } from 'node:path'
import { randomSuffix } from '../files/write.ts'
import type { Processes } from '../host.ts'

/** Milliseconds after which a file that nobody writes is free, if its process cannot be seen. */
export const leasePeriod = 30_000

export interface Holder {
  /** Boot and PID namespace in which the process id is valid; '' without `/proc`. */
  readonly boot: string
  readonly host: string
  readonly pid: number
  /** Clock ticks since the boot, because process ids are reused; '' if unknown. */
  readonly began: string
}

export function ownHolder({ own }: Pick<Processes, 'own'>): Holder {
  return { boot: bootOf(), host: hostname(), pid: own, began: beginOf(own) }
}

/** Undefined for a process that we cannot see: only its lease shows whether it has ended. */
export function hasEnded(holder: Holder, { isRunning }: Pick<Processes, 'isRunning'>): boolean | undefined {
  // Machines that were started from the same memory image have the same boot id.
  if (holder.boot !== bootOf() || holder.host !== hostname()) return undefined
  // Linux without `/proc`, as in a bare root folder, does not show whether the id is one of this PID namespace.
  if (holder.boot === '' && platform() === 'linux') return undefined
  if (!isRunning(holder.pid)) return true
  // Without a start time, another process may have this id.
  if (holder.began === '') return undefined
  return beginOf(holder.pid) !== holder.began
}

/** Without a holder, the file is being written, or a crash cut it off. */
export function isHeld(path: string, holder: Holder | undefined, processes: Pick<Processes, 'isRunning'>): boolean {
  const ended = holder && hasEnded(holder, processes)
  return !(ended ?? ageOf(path) > leasePeriod)
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

/** Field 22 of `/proc/PID/stat`; '' for a zombie, as in a container without an init. */
function beginOf(pid: number): string {
  const fields = processFields(pid)
  return fields[0] === 'Z' ? '' : (fields[19] ?? '')
}

/** Fields of `/proc/PID/stat` after the process name, which may contain any character; empty without such a file. */
export function processFields(pid: number | 'self'): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

/** Milliseconds by the clock of the file's folder, which several machines may share; infinite for a missing file. */
function ageOf(path: string): number {
  const mtimeMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY
  const probe = join(dirname(path), `.clock-${randomSuffix()}`)
  try {
    writeFileSync(probe, '', { flag: 'wx', mode: 0o600 })
    const now = statSync(probe)
    if (now.mtimeMs < mtimeMs) beginAnew(path, now)
    return now.mtimeMs - mtimeMs
  } catch {
    // In a read-only folder nobody can take over, so our own clock is enough.
    return Date.now() - mtimeMs
  } finally {
    rmSync(probe, { force: true })
  }
}

/** If the clock was set back, the file's time is in the future and would never expire; a running holder renews it. */
function beginAnew(path: string, { atime, mtime }: Stats): void {
  try {
    utimesSync(path, atime, mtime)
  } catch {}
}
