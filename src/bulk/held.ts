/** A job while somebody works on it: locked, read, and its journal open. */

import { join } from 'node:path'
import type { Host } from '../host.ts'
import { type Job, lockOf, openJob } from './job.ts'
import { type Journal, openJournal } from './journal.ts'
import { lock } from './lock.ts'

export interface Held {
  readonly job: Job
  readonly journal: Journal
  /** Closes the journal and gives the lock back. */
  release(): void
}

/** Throws `RefusedError` while another process works on it, `UsageError` where it is none or damaged. */
export function holdJob(jobs: string, name: string, { processes, clock }: Pick<Host, 'processes' | 'clock'>): Held {
  const unlock = lock(lockOf(openJob(jobs, name)), processes)
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
