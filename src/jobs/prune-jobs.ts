/** Removes the oldest done runs of one target, which are many where people change objects one by one. */
import { Failure } from '../errors.ts'
import type { Host } from '../host.ts'
import { jobNames, jobState, type ListedJob, removeJob } from './job.ts'
import { listJobs } from './list-jobs.ts'
import { claimJob } from './locked-job.ts'

const mostKept = 1000

/** Reading every job takes time, so only each time that so many more are there. */
const every = 100

export function pruneJobs(jobs: string, host: Pick<Host, 'clock' | 'processes'>): void {
  const count = jobNames(jobs).length
  if (count <= mostKept || count % every !== 0) return
  const isDone = (job: ListedJob) => job.header.total === 1 && jobState(job, host) === 'done'
  const old = listJobs(jobs, () => undefined)
    .filter(isDone)
    .slice(mostKept)
  for (const job of old) {
    try {
      claimJob(job, host)
      removeJob(job)
    } catch (error) {
      // Another process undoes or removes it.
      if (!(error instanceof Failure)) throw error
    }
  }
}
