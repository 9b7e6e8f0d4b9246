/** Removes the oldest done runs of one target, which are many where people change objects one by one. */
import { Failure } from '../errors.ts'
import { isStrangers } from '../files/permissions.ts'
import type { Host } from '../host.ts'
import { jobNames, jobState, type ListedJob } from './job.ts'
import { listJobs } from './list-jobs.ts'
import { removeFreeJob } from './locked-job.ts'

const mostKept = 1000

/** Reading every job takes time, so only each time that so many more are there. */
const every = 100

/** Call it once the new job is kept: what it cannot remove stays, and stops nothing. */
export function pruneJobs(jobs: string, host: Pick<Host, 'clock' | 'processes'>): void {
  const count = jobNames(jobs).length
  if (count <= mostKept || count % every !== 0) return
  const isOld = (job: ListedJob) => job.header.total === 1 && jobState(job, host) === 'done' && !isStrangers(job.folder)
  const old = listJobs(jobs, () => undefined)
    .filter(isOld)
    .slice(mostKept)
  for (const job of old) {
    try {
      removeFreeJob(job, host)
    } catch (error) {
      // Another process works on it, or its folder is not writable.
      if (!(error instanceof Failure)) throw error
    }
  }
}
