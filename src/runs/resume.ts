import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import type { Job } from '../jobs/job.ts'
import { recordedLimit } from '../jobs/recorded-options.ts'
import type { Result } from '../result.ts'
import { refuseElsewhere } from './checks/elsewhere.ts'
import { completeJob, filesOf, type ResumeOptions } from './complete-job.ts'
import { readUnsent } from './keep-run.ts'
import type { RunRequest } from './request.ts'
import { startRun } from './start-run.ts'

/** Throws `RefusedError` if another process works on the job, or it belongs elsewhere. */
export async function resumeJob(context: Context, job: Job, options: ResumeOptions): Promise<Result> {
  return job.state.isFinished ? completeJob(context, job, options) : startRun(context, restOf(context, job, options))
}

function restOf(context: Context, job: Job, options: ResumeOptions): RunRequest {
  const { header, state, targets } = job
  const unsent = readUnsent(job)
  if (!unsent) {
    throw new UsageError(`The job in ${job.folder} has no stored requests any more`, { hint: 'Run the command again' })
  }
  const { asked } = header.receipt
  const { input, reason } = asked
  const maxFailures = options.maxFailures ?? recordedLimit(header.options, 'maxFailures')
  return {
    operation: unsent.operation,
    targets: {
      kind: 'fixed',
      ids: Array.from(state.remaining(), target => targets.at(target) ?? ''),
      input,
      place: connection => refuseElsewhere(connection, header, 'The job', 'Resume'),
    },
    guards: {
      expect: options.expect,
      max: undefined,
      maxFailures,
    },
    concurrency: options.concurrency ?? recordedLimit(header.options, 'concurrency'),
    records: { ...filesOf(context, job, options, unsent.receipt), backupOption: '--backup', reason },
    purpose: { kind: 'resume', job },
    recorded: header.options,
  }
}
