import { refuseUnanswerable } from '../consent.ts'
import type { Connection, Context } from '../context.ts'
import { RefusedError, UsageError } from '../errors.ts'
import { isStrangers } from '../files/permissions.ts'
import { checkWritable } from '../files/private-file.ts'
import { type BackupFile, checkBackup } from '../jobs/backup.ts'
import { type Job, jobsFolder } from '../jobs/job.ts'
import type { JobHeader } from '../jobs/job-header.ts'
import { type Journal, memoryJournal } from '../jobs/journal/journal.ts'
import { lockJob } from '../jobs/locked-job.ts'
import { backupPathsOf } from '../jobs/receipts/receipt-again.ts'
import { recordedLimit } from '../jobs/recorded-options.ts'
import type { Result } from '../result.ts'
import { agree } from './agree.ts'
import { completeJob, filesOf, type ResumeFiles, type ResumeOptions, readUnsent } from './end-job.ts'
import { forRun } from './for-run.ts'
import { refuseWithoutBackup } from './guards/refuse-beyond-limits.ts'
import { refuseCount } from './guards/refuse-count.ts'
import { refuseElsewhere } from './guards/refuse-elsewhere.ts'
import { refuseForbidden } from './guards/refuse-forbidden.ts'
import { refuseLostBackup } from './guards/refuse-lost-backup.ts'
import { refuseSameFile } from './guards/refuse-same-file.ts'
import { refuseStranger } from './guards/refuse-stranger.ts'
import { counted } from './operation.ts'
import { plannedFailures } from './plans/planned-failures.ts'
import { sayHowToResume } from './run/end-run.ts'
import type { OperationRun } from './run/operation-run.ts'
import { createReads } from './run/reads.ts'
import { runOperation } from './run/run-operation.ts'
import type { Unsent } from './run/unsent.ts'
import { describeOperation } from './scope.ts'
import { seeRecords } from './seen-records.ts'
import { warnOfReceipt } from './warn-of-receipt.ts'

/** Throws `RefusedError` if another process works on the job, or it belongs elsewhere. */
export async function resumeJob(context: Context, found: Job, options: ResumeOptions): Promise<Result> {
  const { host, values, stateFolder } = context
  const { header } = found
  const concurrency = values.dryRun ? 1 : (options.concurrency ?? recordedLimit(header.options, 'concurrency') ?? 8)
  const connected = forRun(await context.connect(), concurrency)
  const unsent = readUnsent(found)
  const isForeign = isStrangers(found.folder)
  refuseStranger(context, found, options.expect)
  // A job of another user must not name the receipt file, which would be replaced without a question.
  const named = isForeign && found.state.isFinished ? undefined : unsent
  const rest = { unsent, isAsked: isForeign, files: filesOf(context.host, found, named, options) }
  if (unsent && !found.state.isFinished) {
    refuseCount(found.state.countRemaining(), { expect: options.expect })
    refuseEarly(context, connected, found, { ...rest, unsent })
  }
  const connection = await refuseElsewhere(connected, header, 'The job', 'Resume')
  if (values.dryRun)
    return resumeTargets(context, found, rest, { connection, journal: memoryJournal(found.state), concurrency })
  const job = lockJob(jobsFolder(stateFolder()), found.name, host)
  const { journal } = job
  try {
    // If the job was removed meanwhile, its name may match a part of another job's name.
    if (job.job.digest !== found.digest) {
      throw new RefusedError(`Job ${found.name} was removed in the meantime`, { hint: 'See analytics jobs list' })
    }
    return await resumeTargets(context, job.job, rest, {
      connection,
      journal,
      job,
      concurrency,
      maxFailures: maxFailuresOf(context, header, options.maxFailures),
      maxDuration: options.maxDuration,
      canary: recordedLimit(header.options, 'canary'),
    })
  } catch (error) {
    job.release()
    throw error
  }
}

interface Rest<U = Unsent | undefined> {
  readonly unsent: U
  /** The job was confirmed when it started; that of a stranger is asked about again. */
  readonly isAsked: boolean
  readonly files: ResumeFiles
}

async function resumeTargets(
  context: Context,
  job: Job,
  { unsent, isAsked, files }: Rest,
  run: Omit<OperationRun, 'operation' | 'targets' | keyof ResumeFiles>,
): Promise<Result> {
  if (job.state.isFinished) return completeJob(context, job, files, run.job)
  if (!unsent) {
    throw new UsageError(`The job in ${job.folder} has no stored requests any more`, {
      hint: 'Run the command again',
    })
  }
  await agreeToRest(context, run.connection, job, { isAsked, unsent, files })
  const asked = job.header.receipt.asked
  const written = context.values.dryRun ? { receipt: undefined, backup: undefined } : files
  await keepBackup(written.backup, job, run.journal)
  return runOperation(context, { ...run, ...unsent, ...written, asked, targets: job.targets })
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
  { unsent: { operation }, isAsked, files: { receipt, backup } }: Rest<Unsent>,
): void {
  const { header, targets: ids } = job
  refuseSameFile(context, { '--receipt': receipt, '--backup': backup?.path })
  refuseSameFile(context, { '--receipt': receipt }, backupPathsOf(job))
  const reason = header.receipt.asked.reason ?? undefined
  const given = { reason, hasReceipt: receipt !== undefined, isPlanned: header.plan !== undefined }
  refuseForbidden(context, connection, { operation, given }, ids)
  refuseWithoutBackup(context, '--backup', backup?.path)
  refuseLostBackup(job, backup)
  if (context.values.dryRun) return
  const what = counted(job.state.countRemaining(), operation)
  refuseUnanswerable(context, { doing: describeOperation(context, connection, operation, what), isAsked })
  if (receipt !== undefined) checkWritable(receipt, '--receipt')
  warnOfReceipt(context, receipt, job.name)
  if (backup !== undefined) checkBackup(backup.path)
}

function restOf({ state, targets }: Job): readonly string[] {
  return Array.from(state.remaining(), target => targets.at(target) ?? '')
}

async function agreeToRest(
  context: Context,
  connection: Connection,
  job: Job,
  { isAsked, unsent: { operation }, files }: Rest<Unsent>,
): Promise<void> {
  try {
    await agree(context, {
      connection,
      operation,
      ids: restOf(job),
      isAsked,
      purpose: 'resume',
      hasBackup: files.backup !== undefined,
      backupOption: '--backup',
      reads: createReads(context.host.clock),
      seen: seeRecords(operation),
    })
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
