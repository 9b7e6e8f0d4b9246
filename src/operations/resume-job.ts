/** Finishes a job: checks what a resume could fail at before it sends anything, and goes on with what is left. */
import { resolve } from 'node:path'
import type { BulkOptions, jobOptions } from '../cli/bulk-options.ts'
import type { Connection, Context, Result } from '../cli/command.ts'
import { confirmsEachWrite, refuseUnanswerable } from '../cli/confirm.ts'
import { Failure, RefusedError, UsageError } from '../errors.ts'
import { checkWritable, writePrivateFile } from '../files/private-file.ts'
import { type BackupFile, checkBackup } from '../jobs/backup.ts'
import { eraseUnsent, type Header, type Job, jobsFolder, unsentOf } from '../jobs/job.ts'
import { type Journal, memoryJournal } from '../jobs/journal/journal.ts'
import { type LockedJob, lockJob } from '../jobs/locked-job.ts'
import { printReceipt } from '../jobs/receipts/receipt.ts'
import { backupPathsOf, backupsOf, receiptAgain } from '../jobs/receipts/receipt-again.ts'
import { recordedLimit } from '../jobs/recorded-options.ts'
import { outcomeView } from '../output/views.ts'
import { forRun } from './for-run.ts'
import { refuseForbidden } from './guards/consent.ts'
import { refuseElsewhere } from './guards/refuse-elsewhere.ts'
import { refuseLookup } from './guards/refuse-lookup.ts'
import { refuseLostBackup } from './guards/refuse-lost-backup.ts'
import { refuseSameFile } from './guards/refuse-same-file.ts'
import { counted, type Operation } from './operation.ts'
import { plannedFailures } from './planned-failures.ts'
import { previewAndAsk } from './preview-and-ask.ts'
import { otherReceipt, sayHowToResume } from './run/end-run.ts'
import type { OperationRun } from './run/operation-run.ts'
import { backupFile } from './run/receipt-context.ts'
import { runOperation, type Unsent } from './run/run-operation.ts'
import { describeOperation } from './scope.ts'
import { warnOfReceipt } from './warn-of-receipt.ts'

type ResumeOptions = Pick<BulkOptions, keyof typeof jobOptions>

/** Throws `RefusedError` where another process works on the job, or it belongs elsewhere. */
export async function resumeJob(context: Context, found: Job, options: ResumeOptions): Promise<Result> {
  const { host, values, stateFolder } = context
  const { header } = found
  refuseLookup(found)
  const concurrency = values.dryRun ? 1 : (options.concurrency ?? recordedLimit(header.options, 'concurrency') ?? 8)
  const connected = forRun(await context.connect(), concurrency)
  const unsent = unsentOf(found) as Unsent | undefined
  const rest = { unsent, files: filesOf(context.host, found, unsent, options) }
  if (unsent && !found.state.isFinished) refuseEarly(context, connected, found, { ...rest, unsent })
  const connection = await refuseElsewhere(connected, header, 'The job', 'Resume')
  if (values.dryRun)
    return resumeTargets(context, found, rest, { connection, journal: memoryJournal(found.state), concurrency })
  const job = lockJob(jobsFolder(stateFolder()), found.name, host)
  const { journal } = job
  try {
    // Where the job was removed meanwhile, its name may be a part of that of another one, in another project.
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

interface Files {
  readonly receipt: string | undefined
  readonly backup: BackupFile | undefined
}

/** What is still to be sent; undefined once it is erased. */
interface Rest<U = Unsent | undefined> {
  readonly unsent: U
  readonly files: Files
}

async function resumeTargets(
  context: Context,
  job: Job,
  { unsent, files }: Rest,
  run: Omit<OperationRun, 'operation' | 'targets' | keyof Files>,
): Promise<Result> {
  if (job.state.isFinished) return finish(context, job, files, run.job)
  if (!unsent) {
    throw new UsageError(`The job in ${job.folder} has lost what it was going to send`, {
      hint: 'Run the command again',
    })
  }
  await askAboutRest(context, run.connection, job, unsent.operation)
  const asked = job.header.receipt?.asked
  // A dry run writes no file.
  const written = context.values.dryRun ? { receipt: undefined, backup: undefined } : files
  await keepBackup(written.backup, job, run.journal)
  return runOperation(context, { ...run, ...unsent, ...written, asked, targets: job.targets })
}

/** Does what a process that was killed may have left undone. */
function finish(context: Context, job: Job, files: Files, locked?: LockedJob): Result {
  writeReceiptAgain(context, job, files)
  if (locked) eraseUnsent(job)
  if (job.state.counts.failed > 0) {
    throw new UsageError('Nothing is left to try: the failed targets do not exist', { hint: 'See analytics jobs show' })
  }
  locked?.release()
  return nothingLeft(context, 'the job is done')
}

/** Writes the receipt that a killed process has left out, and erases what was to be sent: all of it is done. */
export function endJob(context: Context, found: Job): void {
  const { host, messages, values, stateFolder } = context
  if (values.dryRun) return
  const locked = lockJob(jobsFolder(stateFolder()), found.name, host)
  const { job } = locked
  const files = filesOf(host, job, unsentOf(job) as Unsent | undefined, {})
  try {
    writeReceiptAgain(context, job, files)
    if (files.receipt !== undefined) messages.notice(`Wrote the receipt of job ${job.name}, which had ended without it`)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    messages.warn(`Job ${job.name} has no receipt: ${error.message}. ${otherReceipt(context, job)}`)
  } finally {
    eraseUnsent(job)
    locked.release()
  }
}

function writeReceiptAgain(context: Context, job: Job, { receipt, backup }: Files): void {
  refuseSameFile(context, { receipt }, {}, [...backupPathsOf(job), ...(backup ? [backup.path] : [])])
  if (receipt === undefined || context.values.dryRun) return
  warnOfReceipt(context, receipt, job.name)
  writePrivateFile(receipt, '--receipt', printReceipt(receiptAgain(context.host, job)))
}

/** Where no job has anything left: an older file must not pass for the receipt, so it becomes that of the newest job. */
export function nothingToResume(context: Context, newest: Job | undefined, options: ResumeOptions): Result {
  const { messages, values, host } = context
  if (newest) writeReceiptAgain(context, newest, filesOf(host, newest, undefined, options))
  const result = nothingLeft(context, 'no job of this server and project has anything left to try')
  if (options.receipt === undefined || values.dryRun) return result
  if (newest) messages.notice(`The receipt in ${options.receipt} is that of the newest one, ${newest.name}`)
  else messages.warn('No receipt was written: no job of this server and project is kept here')
  return result
}

/** The receipt names each, and none of them may be replaced. */
async function keepBackup(backup: BackupFile | undefined, job: Job, journal: Journal): Promise<void> {
  if (backup && backup.path !== backupPathsOf(job).at(-1)) await journal.keep(['backup', backup])
}

/** Those of the run, where no others are given. */
function filesOf(
  host: Context['host'],
  job: Job,
  unsent: Unsent | undefined,
  { receipt, backup }: Pick<ResumeOptions, 'receipt' | 'backup'>,
): Files {
  const last = backupsOf(job).at(-1)
  const given = backupFile(host, backup)
  return {
    receipt: receipt === undefined ? unsent?.receipt : resolve(host.cwd, receipt),
    // By the name that the receipt had before.
    backup: given === undefined || given.path === last?.path ? last : given,
  }
}

/** What would stop the run later is said before anything is sent. */
function refuseEarly(
  context: Context,
  connection: Connection,
  job: Job,
  { unsent: { operation }, files: { receipt, backup } }: Rest<Unsent>,
): void {
  const { header, targets: ids } = job
  refuseSameFile(context, { receipt, backup: backup?.path })
  refuseSameFile(context, { receipt }, {}, backupPathsOf(job))
  const reason = header.receipt?.asked.reason ?? undefined
  const given = { reason, hasReceipt: receipt !== undefined, isPlanned: header.plan !== undefined }
  refuseForbidden(context, connection, operation, ids, given)
  refuseLostBackup(job, backup)
  if (context.values.dryRun) return
  if (confirmsEachWrite(context.settings)) {
    const what = counted(restOf(job).length, operation)
    refuseUnanswerable(context, describeOperation(context, connection, operation, what))
  }
  if (receipt !== undefined) checkWritable(receipt, '--receipt')
  warnOfReceipt(context, receipt, job.name)
  if (backup !== undefined) checkBackup(backup.path)
}

function restOf({ state, targets }: Job): readonly string[] {
  return Array.from(state.remaining(), target => targets.at(target) ?? '')
}

/** Only the safety level `confirm` asks again: a job was agreed to when it began. */
async function askAboutRest(context: Context, connection: Connection, job: Job, operation: Operation): Promise<void> {
  if (context.values.dryRun || !confirmsEachWrite(context.settings)) return
  try {
    await previewAndAsk(context, { connection, operation, ids: restOf(job), isAgreed: true })
  } catch (error) {
    sayHowToResume(context, job)
    throw error
  }
}

function nothingLeft({ messages }: Context, why: string): Result {
  messages.notice(`Nothing to do: ${why}`)
  return { document: { shape: 'list', batches: [], view: outcomeView } }
}

function maxFailuresOf(context: Context, header: Header, given: number | undefined): number | undefined {
  const own = recordedLimit(header.options, 'maxFailures')
  if (given === undefined || header.plan === undefined) return given ?? own
  const { plannedFailures: planned = own } = header
  return plannedFailures(context, given, planned)
}
