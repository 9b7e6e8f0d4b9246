/** Keeps a run as a job before its first request. */
import type { Context } from '../context.ts'
import { RefusedError, UnavailableError, UsageError } from '../errors.ts'
import { createJob } from '../jobs/create-job.ts'
import { backupPathsOf, type Job, jobsFolder, unsentOf } from '../jobs/job.ts'
import { JobState } from '../jobs/job-state.ts'
import { memoryJournal } from '../jobs/journal/journal.ts'
import { lockJob } from '../jobs/locked-job.ts'
import { createMarkKey } from '../jobs/undo/marks.ts'
import { type Checked, isText, optionalOf, recordOf } from '../json/checks.ts'
import { rowOf } from '../operations/operation.ts'
import { isOperation } from '../operations/operation-form.ts'
import { actorOf, clockAhead } from './receipt-facts.ts'
import type { RunRequest } from './request.ts'
import type { KeptRun, ResolvedRun } from './run.ts'

export async function keepRun(context: Context, request: RunRequest, run: ResolvedRun): Promise<KeptRun> {
  const { values } = context
  if (values.dryRun) return inMemory({ ...run, backup: undefined, maxFailures: undefined })
  if (request.purpose.kind === 'resume') return continueJob(context, request.purpose.job, run)
  return asJobIfPossible(context, request, run)
}

async function continueJob({ host, stateFolder }: Context, found: Job, run: ResolvedRun): Promise<KeptRun> {
  const locked = lockJob(jobsFolder(stateFolder()), found, host)
  const { job, journal } = locked
  try {
    if (job.state.countRemaining() !== run.targets.length) {
      throw new RefusedError(`Somebody worked on job ${job.name} in the meantime`, { hint: 'Resume it again' })
    }
    // The receipt names every backup, so an earlier one is never replaced.
    if (run.backup && run.backup.path !== backupPathsOf(job).at(-1)) await journal.keep(['backup', run.backup])
  } catch (error) {
    locked.release()
    throw error
  }
  return { ...run, targets: job.targets, journal, job: locked, isNew: false }
}

/** If no job can be made, a run of one target goes on without it, unless it has a receipt. */
function asJobIfPossible(context: Context, request: RunRequest, run: ResolvedRun): KeptRun {
  const { messages } = context
  try {
    return asJob(context, request, run)
  } catch (error) {
    const mustLeave = run.targets.length > 1 || run.receipt !== undefined
    if (mustLeave || !(error instanceof UsageError || error instanceof UnavailableError)) throw error
    messages.warn(`${error.message}, so this change is not kept as a job`)
    return inMemory(run)
  }
}

/** Nothing of it is written down. */
function inMemory(run: ResolvedRun): KeptRun {
  return { ...run, journal: memoryJournal(new JobState(run.targets.length)), job: undefined, isNew: true }
}

/** The job is on disk before the first target is changed. */
function asJob(context: Context, { recorded }: RunRequest, run: ResolvedRun): KeptRun {
  const { host, config, stateFolder } = context
  const { operation, receipt, backup, connection, asked } = run
  const header = {
    command: operation.command,
    path: { ...operation.path },
    profile: config.profileName ?? null,
    base: connection.client.base.href,
    options: recorded,
    receipt: { asked, actor: actorOf(context), backup: backup ?? null, clockAhead: clockAhead(host, connection) },
    markKey: backup && rowOf(operation).undoneBy ? createMarkKey() : undefined,
    plan: undefined,
    plannedFailures: undefined,
  }
  const unsent: Unsent = { operation, receipt }
  const job = createJob(jobsFolder(stateFolder()), header, run.targets, unsent, host)
  return { ...run, targets: job.job.targets, journal: job.journal, job, isNew: true }
}

/** A job stores this until it is done. */
const isUnsent = recordOf({ operation: isOperation, receipt: optionalOf(isText) })

type Unsent = Checked<typeof isUnsent>

/** Undefined once it is erased. */
export function readUnsent(job: Job): Unsent | undefined {
  return unsentOf(job, isUnsent)
}
