import { closeSync } from 'node:fs'
import { Failure, RefusedError, UsageError } from '../errors.ts'
import { reasonOf, writing } from '../files/system-error.ts'
import type { Host } from '../host.ts'
import { describeHolder, leasePeriod, ownHolder } from '../locks/holder.ts'
import { findJob, type Job, openJob, removeJob } from './job.ts'
import type { JobLocation } from './job-header.ts'
import {
  claimGeneration,
  createGeneration,
  newestGeneration,
  type OpenGeneration,
  seedOf,
  syncGeneration,
} from './journal/generation.ts'
import { GenerationFile } from './journal/generation-file.ts'
import { FileJournal, type Journal } from './journal/journal.ts'
import { leaseOf } from './lease.ts'

export interface LockedJob {
  readonly job: Job
  readonly journal: Journal
  release(): void
}

type LockingHost = Pick<Host, 'processes' | 'clock'>

/** Throws `RefusedError` if another process works on the job, or it was altered or removed. */
export function lockJob(jobs: string, { name, digest }: Pick<Job, 'name' | 'digest'>, host: LockingHost): LockedJob {
  for (;;) {
    const location = findJob(jobs, name)
    const generation = refuseHeld(location, host)
    const job = openJob(jobs, location.name)
    // The name may match a part of another job's name.
    if (job.digest !== digest) {
      throw new RefusedError(`Job ${name} was removed in the meantime`, { hint: 'See analytics jobs list' })
    }
    // A newer generation belongs to a process that took over meanwhile and may still work.
    const open = job.generation === generation ? takeOver(job, host) : undefined
    if (open) return holdJob(job, open, host)
  }
}

/** Returns the newest generation if no process holds it. */
export function refuseHeld({ name, folder }: JobLocation, { processes }: LockingHost): number {
  const { generation, holder } = leaseOf(folder, processes)
  if (!holder) return generation
  throw new RefusedError(`Job ${name} is running: ${describeHolder(holder)} works on it`, {
    hint: `Wait for it to end; if it is gone, try again in ${leasePeriod / 1000} seconds`,
  })
}

export function holdJob(job: Job, open: OpenGeneration, host: LockingHost): LockedJob {
  const file = new GenerationFile({ folder: job.folder, jobDigest: job.digest, host }, open)
  const journal = new FileJournal(job.state, file)
  return { job, journal, release: () => journal.close() }
}

function takeOver({ folder, digest, generation, end }: Job, { processes }: LockingHost): OpenGeneration | undefined {
  const next = generation + 1
  return writing(`The job in ${folder} cannot be continued`, 'Its folder must be writable', () => {
    syncGeneration(folder, generation)
    return createGeneration(folder, ['generation', next, ownHolder(processes), end], seedOf(digest, next))
  })
}

/** Prevents other processes from working on a job in any state, so that it can be removed. */
export function claimJob(location: JobLocation, host: LockingHost): void {
  for (;;) {
    const generation = refuseHeld(location, host)
    // Throws for an unreadable folder, which seems to have no holder.
    const isNewest = newestGeneration(location.folder) === generation
    const file = isNewest ? claimGeneration(location.folder, generation + 1) : undefined
    if (file === undefined) continue
    closeSync(file)
    return
  }
}

/** Throws `RefusedError` if another process works on the job, `UsageError` if its folder cannot be removed. */
export function removeFreeJob(job: JobLocation, host: LockingHost): void {
  try {
    claimJob(job, host)
    removeJob(job)
  } catch (cause) {
    if (cause instanceof Failure) throw cause
    throw new UsageError(`The job in ${job.folder} cannot be removed${reasonOf(cause)}`, {
      hint: 'Its folder must be writable',
      cause,
    })
  }
}
