import { refuseUnanswerable } from '../consent.ts'
import type { Connection, Context } from '../context.ts'
import { RefusedError, UsageError } from '../errors.ts'
import { isStrangers } from '../files/permissions.ts'
import type { BackupFile } from '../jobs/backup.ts'
import { backupPathsOf, type Job, jobsFolder } from '../jobs/job.ts'
import type { JobHeader } from '../jobs/job-header.ts'
import type { Journal } from '../jobs/journal/journal.ts'
import { type LockedJob, lockJob } from '../jobs/locked-job.ts'
import { recordedLimit } from '../jobs/recorded-options.ts'
import { counted } from '../operations/operation.ts'
import type { Result } from '../result.ts'
import { agree } from './agree.ts'
import { refuseElsewhere } from './checks/elsewhere.ts'
import { refuseLostBackup, refuseStranger } from './checks/job-files.ts'
import { refuseCount, refuseForbidden, refuseWithoutBackup } from './checks/limits.ts'
import { refuseSameFile } from './checks/same-file.ts'
import { refuseUnwritable, warnOfReceipt } from './checks/written-files.ts'
import { completeJob, filesOf, type ResumeFiles, type ResumeOptions } from './complete-job.ts'
import { execute } from './execute.ts'
import { inMemory, readUnsent, type Unsent } from './keep-run.ts'
import { describeOperation, forRun } from './place.ts'
import { plannedFailures } from './plan.ts'
import { sayHowToResume } from './report.ts'
import type { ResolvedRun } from './run.ts'
import { seeRecords } from './seen-records.ts'
import { createReads } from './steps/reads.ts'

/** Throws `RefusedError` if another process works on the job, or it belongs elsewhere. */
export async function resumeJob(context: Context, found: Job, options: ResumeOptions): Promise<Result> {
  const { host, values, stateFolder } = context
  const { header, state } = found
  const concurrency = values.dryRun ? 1 : (options.concurrency ?? recordedLimit(header.options, 'concurrency') ?? 8)
  const connected = forRun(await context.connect(), concurrency)
  const unsent = readUnsent(found)
  const isForeign = isStrangers(found.folder)
  refuseStranger(context, found, options.expect)
  // A job of another user must not name the receipt file, which would be replaced without a question.
  const files = filesOf(context.host, found, isForeign && state.isFinished ? undefined : unsent, options)
  if (unsent && !state.isFinished) {
    refuseCount(state.countRemaining(), { expect: options.expect, max: undefined })
    refuseEarly(context, connected, found, { operation: unsent.operation, isAsked: isForeign, files })
  }
  const connection = await refuseElsewhere(connected, header, 'The job', 'Resume')
  const resumed: Resumed = { connection, unsent, files, isAsked: isForeign, concurrency, options }
  if (values.dryRun) return resumeTargets(context, found, resumed)
  const locked = lockJob(jobsFolder(stateFolder()), found.name, host)
  try {
    // If the job was removed meanwhile, its name may match a part of another job's name.
    if (locked.job.digest !== found.digest) {
      throw new RefusedError(`Job ${found.name} was removed in the meantime`, { hint: 'See analytics jobs list' })
    }
    return await resumeTargets(context, locked.job, resumed, locked)
  } catch (error) {
    locked.release()
    throw error
  }
}

interface Resumed {
  readonly connection: Connection
  readonly unsent: Unsent | undefined
  readonly files: ResumeFiles
  /** The job was confirmed when it started; that of a stranger is asked about again. */
  readonly isAsked: boolean
  readonly concurrency: number
  readonly options: ResumeOptions
}

/** Without its lock, the job is only looked at. */
async function resumeTargets(
  context: Context,
  job: Job,
  { connection, unsent, files, isAsked, concurrency, options }: Resumed,
  locked?: LockedJob,
): Promise<Result> {
  if (job.state.isFinished) return completeJob(context, job, files, locked)
  if (!unsent) {
    throw new UsageError(`The job in ${job.folder} has no stored requests any more`, {
      hint: 'Run the command again',
    })
  }
  const { operation } = unsent
  const { header } = job
  const run = {
    connection,
    operation,
    isOne: false,
    asked: header.receipt.asked,
    ...files,
    concurrency,
    maxFailures: locked && maxFailuresOf(context, header, options.maxFailures),
    canary: locked && recordedLimit(header.options, 'canary'),
    maxDuration: locked && options.maxDuration,
    reads: createReads(context.host.clock),
    seen: seeRecords(operation),
  }
  await agreeToRest(context, job, { ...run, targets: restOf(job) }, isAsked)
  if (!locked)
    return execute(
      context,
      inMemory({ ...run, targets: job.targets, receipt: undefined, backup: undefined }, job.state),
    )
  await keepBackup(files.backup, job, locked.journal)
  return execute(context, { ...run, targets: job.targets, journal: locked.journal, job: locked, isNew: false })
}

/** The receipt names every backup, so an earlier one is never replaced. */
async function keepBackup(backup: BackupFile | undefined, job: Job, journal: Journal): Promise<void> {
  if (backup && backup.path !== backupPathsOf(job).at(-1)) await journal.keep(['backup', backup])
}

/** Reports every known obstacle before the first request. */
function refuseEarly(
  context: Context,
  connection: Connection,
  job: Job,
  { operation, isAsked, files: { receipt, backup } }: Pick<Resumed, 'isAsked' | 'files'> & Pick<Unsent, 'operation'>,
): void {
  const { header, targets } = job
  refuseSameFile(context, { '--receipt': receipt, '--backup': backup?.path })
  refuseSameFile(context, { '--receipt': receipt }, backupPathsOf(job))
  const { reason } = header.receipt.asked
  const given = { reason, hasReceipt: receipt !== undefined, isPlanned: header.plan !== undefined }
  refuseForbidden(context, connection, { operation, given, count: targets.length })
  refuseWithoutBackup(context, '--backup', backup?.path)
  refuseLostBackup(job, backup)
  if (context.values.dryRun) return
  const what = counted(job.state.countRemaining(), operation)
  refuseUnanswerable(context, { doing: describeOperation(context, connection, operation, what), isAsked })
  refuseUnwritable(context, { receipt, backup: backup?.path, plan: undefined })
  warnOfReceipt(context, receipt, job.name)
}

function restOf({ state, targets }: Job): readonly string[] {
  return Array.from(state.remaining(), target => targets.at(target) ?? '')
}

async function agreeToRest(context: Context, job: Job, rest: ResolvedRun, isAsked: boolean): Promise<void> {
  try {
    await agree(context, rest, { isAsked, selected: undefined, backupOption: '--backup', purpose: 'resume' })
  } catch (error) {
    sayHowToResume(context, job)
    throw error
  }
}

function maxFailuresOf(context: Context, header: JobHeader, given: number | undefined): number | undefined {
  const own = recordedLimit(header.options, 'maxFailures')
  if (given === undefined || header.plan === undefined) return given ?? own
  return plannedFailures(context, given, header.plannedFailures)
}
