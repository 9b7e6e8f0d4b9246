/** Ends a job of which nothing is left: writes its receipt and erases what was to be sent. */
import { resolve } from 'node:path'
import type { Context } from '../context.ts'
import { Failure, UsageError } from '../errors.ts'
import { writePrivateFile } from '../files/private-file.ts'
import { backupPathsOf, backupsOf, eraseUnsent, type Job, jobsFolder } from '../jobs/job.ts'
import { lockJob } from '../jobs/locked-job.ts'
import { receiptAgain } from '../jobs/receipts/make-receipt.ts'
import { printReceipt } from '../jobs/receipts/receipt.ts'
import type { Result } from '../result.ts'
import { refuseElsewhere } from './checks/elsewhere.ts'
import { refuseSameFile } from './checks/same-file.ts'
import { warnOfReceipt } from './checks/written-files.ts'
import { otherReceipt } from './close-run.ts'
import { readUnsent } from './keep-run.ts'
import { backupFile } from './receipt-facts.ts'
import type { Guards, Records, RunRequest } from './request.ts'
import { nothingDone } from './write-result.ts'

/** Files as they were typed. */
interface GivenFiles {
  readonly backup: string | undefined
  readonly receipt: string | undefined
}

export type ResumeOptions = Pick<RunRequest, 'concurrency'> & Pick<Guards, 'maxFailures' | 'expect'> & GivenFiles

/** The given files, else those of the job. Throws `UsageError` if one would replace another. */
export function filesOf(
  context: Context,
  job: Job,
  { receipt, backup }: GivenFiles,
  ownReceipt: string | undefined,
): Pick<Records, 'receipt' | 'backup'> {
  const { host } = context
  const last = backupsOf(job).at(-1)
  const given = backupFile(host, backup)
  const files = {
    receipt: receipt === undefined ? ownReceipt : resolve(host.cwd, receipt),
    // Keeps the name that the receipt had before.
    backup: given === undefined || given.path === last?.path ? last : given,
  }
  refuseSameFile(context, { '--receipt': files.receipt, '--backup': files.backup?.path })
  refuseSameFile(context, { '--receipt': files.receipt }, backupPathsOf(job))
  return files
}

/** Completes what a killed process may have left undone. */
export async function completeJob(context: Context, job: Job, options: ResumeOptions): Promise<Result> {
  const { host, values, stateFolder } = context
  const ownReceipt = readUnsent(job)?.receipt
  const { receipt } = filesOf(context, job, options, ownReceipt)
  await refuseElsewhere(await context.connect(), job.header, 'The job', 'Resume')
  const locked = values.dryRun ? undefined : lockJob(jobsFolder(stateFolder()), job, host)
  try {
    writeReceiptAgain(context, job, receipt)
    if (locked) eraseUnsent(job)
  } finally {
    locked?.release()
  }
  if (job.state.counts.failed > 0) {
    throw new UsageError('Nothing is left to try: the failed targets do not exist', { hint: 'See analytics jobs show' })
  }
  return nothingDone(context, 'the job is done')
}

/** For a completed job of a killed process: writes its receipt, and erases the stored requests. */
export function endJob(context: Context, job: Job): void {
  const { host, messages, values, stateFolder } = context
  if (values.dryRun) return
  const locked = lockJob(jobsFolder(stateFolder()), job, host)
  try {
    const { receipt } = filesOf(context, job, { receipt: undefined, backup: undefined }, readUnsent(job)?.receipt)
    writeReceiptAgain(context, job, receipt)
    if (receipt !== undefined) messages.notice(`Wrote the receipt of job ${job.name}, which had ended without it`)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    messages.fault(`Job ${job.name} has no receipt: ${error.message}. ${otherReceipt(context, job)}`)
  } finally {
    eraseUnsent(job)
    locked.release()
  }
}

function writeReceiptAgain(context: Context, job: Job, receipt: string | undefined): void {
  if (receipt === undefined || context.values.dryRun) return
  warnOfReceipt(context, receipt, job.name)
  writePrivateFile(receipt, '--receipt', printReceipt(receiptAgain(context.host, job)))
}

/** If no job is left, an older receipt file could mislead, so it becomes that of the newest job. */
export function nothingToResume(context: Context, newest: Job | undefined, options: ResumeOptions): Result {
  const { messages, values } = context
  if (newest) writeReceiptAgain(context, newest, filesOf(context, newest, options, undefined).receipt)
  const result = nothingDone(context, 'no job of several targets on this server and project has anything left to try')
  if (options.receipt === undefined || values.dryRun) return result
  if (newest) messages.notice(`The receipt in ${options.receipt} is that of the newest one, ${newest.name}`)
  else messages.fault('No receipt was written: no job of several targets on this server and project is kept here')
  return result
}
