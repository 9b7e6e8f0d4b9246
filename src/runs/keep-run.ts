/** Keeps a run as a job before its first request. */
import type { Context } from '../context.ts'
import { UnavailableError, UsageError } from '../errors.ts'
import { createJob, jobsFolder, lockJob } from '../jobs/job.ts'
import type { Run } from './run.ts'

/** If no job can be kept, a run of one target goes on without it, unless it has a receipt. */
export function keepRun(context: Context, run: Run): Run {
  const { host, messages, values } = context
  if (values.dryRun) return run
  try {
    const { head, targets, backup, concurrency, maxFailures } = run
    const backups = backup ? [backup.path] : []
    const facts = { head, targets, values: run.values, backups, concurrency, maxFailures }
    const job = createJob(jobsFolder(context.stateFolder()), facts, host)
    return { ...run, job, head: job.head, ...lockJob(job, host) }
  } catch (error) {
    const mustLeave = run.targets.length > 1 || run.values.receipt !== undefined
    if (mustLeave || !(error instanceof UsageError || error instanceof UnavailableError)) throw error
    messages.warn(`${error.message}, so this change is not kept as a job`)
    return run
  }
}
