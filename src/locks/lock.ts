/** A file that says which process works on something. It is touched every 10 s, so that a silent holder is replaced. */
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  linkSync,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { RefusedError, UsageError } from '../errors.ts'
import { files } from '../files/platform.ts'
import { openRegularFile, randomSuffix, writeAll } from '../files/regular-file.ts'
import { cannotRead, codeOf } from '../files/system-error.ts'
import type { Clock, Host } from '../host.ts'
import { ageOf, holderText, readHolder } from './holder.ts'

export type LockHost = Pick<Host, 'clock' | 'random' | 'processes' | 'interrupted'>

type LockOwner = Pick<Host, 'clock' | 'processes'>

const touchPeriodMs = 10_000
const longestSilenceMs = 60_000
/** How long a check stays valid: the lock of a living process is only taken after a minute of silence. */
const checkPeriodMs = 1000

export type Lock = ReturnType<typeof holdLock>

/** Throws `UsageError` if another process holds it for a minute. */
export async function locked<T>(path: string, host: LockHost, work: () => T | Promise<T>): Promise<T> {
  const file = `${path}.lock`
  let lock = tryLock(file, host)
  for (let waited = 0; !lock; lock = tryLock(file, host)) {
    if (waited > longestSilenceMs)
      throw new UsageError(`${path} is in use`, { hint: `Remove ${file} if no other command runs` })
    const pause = 5 + host.random() * 20
    waited += pause
    await host.clock.sleep(pause, host.interrupted)
  }
  try {
    return await work()
  } finally {
    lock.release()
  }
}

export function tryLock(path: string, host: LockOwner): Lock | undefined {
  // Another process may take and release it between two of these lines, but not ten times.
  for (let tries = 0; tries < 10; tries += 1) {
    const file = tryCreate(path, host.processes.pid)
    if (file !== undefined) return holdLock(path, file, host.clock)
    const existing = inspectLock(path, host.processes)
    if (existing && (!existing.isAbandoned || !removeAbandoned(path, host))) return undefined
  }
  return undefined
}

export function holderOf(path: string, processes: Host['processes']): string | undefined {
  const existing = inspectLock(path, processes)
  return existing?.isAbandoned ? undefined : existing?.holder
}

/** Undefined without a file. `isAbandoned`: the holder is gone, and the file is still there. */
function inspectLock(path: string, processes: Host['processes'], onAbandoned?: (file: number) => void) {
  const file = openIfThere(path)
  if (file === undefined) return undefined
  try {
    const { name, isGone } = readHolder(file, processes)
    const isOver = isGone || ageOf(file, dirname(path)) > longestSilenceMs
    const isAbandoned = isOver && isAt(path, file)
    if (isAbandoned) onAbandoned?.(file)
    return { holder: name, isAbandoned }
  } finally {
    closeSync(file)
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openRegularFile(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw cannotRead(`The lock ${path}`, error, 'Move the file to another folder')
  }
}

function isAt(path: string, file: number): boolean {
  return isSameFile(path, openFileStats(file))
}

function isSameFile(path: string, own: BigIntStats | undefined): boolean {
  const there = statSync(path, { throwIfNoEntry: false, bigint: true })
  return own !== undefined && there?.ino === own.ino && there.dev === own.dev
}

/** Inode numbers of Windows need bigint. */
function openFileStats(file: number): BigIntStats | undefined {
  try {
    return fstatSync(file, { bigint: true })
  } catch (error) {
    // In a network folder, after another machine has removed it.
    if (codeOf(error) === 'ESTALE') return undefined
    throw error
  }
}

function holdLock(path: string, file: number, clock: Clock) {
  let touchedAt = clock.now()
  let checkedAt = 0
  // Writes the first byte again, so that only the clock of the folder decides.
  const touch = () => {
    touchedAt = clock.now()
    if (isAt(path, file)) writeSync(file, '{', 0)
  }
  const timer = setInterval(() => {
    try {
      touch()
    } catch {
      // The disk is full or gone. The next write of the run reports it.
    }
  }, touchPeriodMs).unref()
  return {
    /** Throws `RefusedError` if another process has taken it, or removed it. */
    check(): void {
      // This process may have slept, or the clock was set back.
      const now = clock.now()
      if (now >= checkedAt && now - checkedAt < checkPeriodMs) return
      if (Math.abs(now - touchedAt) > touchPeriodMs) touch()
      if (!isAt(path, file)) {
        throw new RefusedError('Another process took over this job or removed it', {
          hint: 'See analytics jobs list',
        })
      }
      checkedAt = now
    },
    release(): void {
      clearInterval(timer)
      remove(path, file)
      closeSync(file)
    },
  }
}

/** Needs a lock of its own: between check and removal, the file may become a newer lock. False while another process removes it. */
function removeAbandoned(path: string, host: LockOwner): boolean {
  const lock = tryLock(`${path}.left`, host)
  if (!lock) return false
  try {
    inspectLock(path, host.processes, file => remove(path, file))
  } finally {
    lock.release()
  }
  return true
}

/** Removes this file only. A newer lock, made while this process was stopped, is put back. */
function remove(path: string, file: number): void {
  // Before the rename, since some systems report an open file differently after it.
  const own = openFileStats(file)
  if (!isSameFile(path, own)) return
  const away = `${path}.${randomSuffix()}`
  try {
    files.replace(path, away)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
  try {
    if (!isSameFile(away, own)) linkSync(away, path)
  } catch {
    // A third lock exists, or the disk has no hard links. The holder of the second lock finds it gone, and sends nothing more.
  } finally {
    rmSync(away, { force: true })
  }
}

function tryCreate(path: string, pid: number): number | undefined {
  // Made before the file: a process that is killed before it writes leaves a lock that lasts a minute.
  const holder = holderText(pid)
  let file: number
  try {
    file = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return undefined
    throw error
  }
  try {
    writeAll(file, holder)
    return file
  } catch (error) {
    remove(path, file)
    closeSync(file)
    throw error
  }
}
