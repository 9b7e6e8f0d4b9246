/** Ends a job of which nothing is left: writes its receipt and erases what was to be sent. */
import { resolve } from 'node:path'
import type { Context } from '../context.ts'
import { Failure, UsageError } from '../errors.ts'
import { writePrivateFile } from '../files/private-file.ts'
import type { BackupFile } from '../jobs/backup.ts'
import { backupPathsOf, backupsOf, eraseUnsent, type Job, jobsFolder } from '../jobs/job.ts'
import { type LockedJob, lockJob } from '../jobs/locked-job.ts'
import { receiptAgain } from '../jobs/receipts/make-receipt.ts'
import { printReceipt } from '../jobs/receipts/receipt.ts'
import type { Result } from '../result.ts'
import { refuseSameFile } from './checks/same-file.ts'
import { warnOfReceipt } from './checks/written-files.ts'
import { otherReceipt } from './close-run.ts'
import { readUnsent, type Unsent } from './keep-run.ts'
import { backupFile } from './receipt-facts.ts'
import type { Guards, Pace, Records } from './request.ts'
import { nothingDone } from './write-result.ts'

export type ResumeOptions = Pace & Pick<Guards, 'maxFailures' | 'expect'> & Pick<Records, 'backup' | 'receipt'>

export interface ResumeFiles {
  readonly receipt: string | undefined
  readonly backup: BackupFile | undefined
}

export function filesOf(
  host: Context['host'],
  job: Job,
  unsent: Unsent | undefined,
  { receipt, backup }: Pick<ResumeOptions, 'receipt' | 'backup'>,
): ResumeFiles {
  const last = backupsOf(job).at(-1)
  const given = backupFile(host, backup)
  return {
    receipt: receipt === undefined ? unsent?.receipt : resolve(host.cwd, receipt),
    // Keeps the name that the receipt had before.
    backup: given === undefined || given.path === last?.path ? last : given,
  }
}

/** Completes what a killed process may have left undone. */
export function completeJob(context: Context, job: Job, files: ResumeFiles, locked?: LockedJob): Result {
  writeReceiptAgain(context, job, files)
  if (locked) eraseUnsent(job)
  if (job.state.counts.failed > 0) {
    throw new UsageError('Nothing is left to try: the failed targets do not exist', { hint: 'See analytics jobs show' })
  }
  locked?.release()
  return nothingDone(context, 'the job is done')
}

/** For a completed job of a killed process: writes its receipt, and erases the stored requests. */
export function endJob(context: Context, found: Job): void {
  const { host, messages, values, stateFolder } = context
  if (values.dryRun) return
  const locked = lockJob(jobsFolder(stateFolder()), found.name, host)
  const { job } = locked
  const files = filesOf(host, job, readUnsent(job), { receipt: undefined, backup: undefined })
  try {
    writeReceiptAgain(context, job, files)
    if (files.receipt !== undefined) messages.notice(`Wrote the receipt of job ${job.name}, which had ended without it`)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    messages.fault(`Job ${job.name} has no receipt: ${error.message}. ${otherReceipt(context, job)}`)
  } finally {
    eraseUnsent(job)
    locked.release()
  }
}

function writeReceiptAgain(context: Context, job: Job, { receipt, backup }: ResumeFiles): void {
  refuseSameFile(context, { '--receipt': receipt }, [...backupPathsOf(job), ...(backup ? [backup.path] : [])])
  if (receipt === undefined || context.values.dryRun) return
  warnOfReceipt(context, receipt, job.name)
  writePrivateFile(receipt, '--receipt', printReceipt(receiptAgain(context.host, job)))
}

/** If no job is left, an older receipt file could mislead, so it becomes that of the newest job. */
export function nothingToResume(context: Context, newest: Job | undefined, options: ResumeOptions): Result {
  const { messages, values, host } = context
  if (newest) writeReceiptAgain(context, newest, filesOf(host, newest, undefined, options))
  const result = nothingDone(context, 'no job of several targets on this server and project has anything left to try')
  if (options.receipt === undefined || values.dryRun) return result
  if (newest) messages.notice(`The receipt in ${options.receipt} is that of the newest one, ${newest.name}`)
  else messages.fault('No receipt was written: no job of several targets on this server and project is kept here')
  return result
}
