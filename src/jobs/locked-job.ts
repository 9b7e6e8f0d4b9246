/** A job while somebody works on it: locked, read, and its journal open. */
import { join } from 'node:path'
import { RefusedError } from '../errors.ts'
import { tryLock } from '../files/lock.ts'
import type { Host } from '../host.ts'
import { type Job, lockPath, openJob } from './job.ts'
import { type Journal, openJournal } from './journal.ts'

export interface LockedJob {
  readonly job: Job
  readonly journal: Journal
  /** Closes the journal and gives the lock back. */
  release(): void
}

/** Throws `RefusedError` while another process works on it, `UsageError` where it is none or damaged. */
export function lockJob(
  jobs: string,
  name: string,
  { processes, clock }: Pick<Host, 'processes' | 'clock'>,
): LockedJob {
  const path = lockPath(openJob(jobs, name))
  const unlock = tryLock(path, processes)
  if (!unlock) {
    throw new RefusedError('Another process is working on this job', {
      hint: `Wait for it to end; if it ran on another machine that is gone, remove ${path}`,
    })
  }
  try {
    // Read again: until a moment ago another may have written to it.
    const job = openJob(jobs, name)
    const journal = openJournal(join(job.folder, 'journal'), job, clock)
    return {
      job,
      journal,
      release() {
        try {
          journal.close()
        } finally {
          unlock()
        }
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}
