/** Ends a run: writes its receipt, and leaves its job to be resumed, or erases what was to be sent. */
import type { Context } from '../context.ts'
import { Failure, RefusedError } from '../errors.ts'
import { eraseUnsent, type Job, removeJob } from '../jobs/job.ts'
import { TakenOverError } from '../jobs/journal/generation-file.ts'
import { writeReceipt } from '../jobs/receipts/make-receipt.ts'
import { commandLine } from '../suggest-command.ts'
import { receiptContext } from './receipt-facts.ts'
import type { Ending, KeptRun } from './run.ts'

interface Ended {
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly ms: number
  readonly stopped: Ending['stopped']
  /** The name of the backup belongs to another file, or to none. */
  readonly isBackupMoved: boolean
}

export function closeRun(context: Context, run: KeptRun, ended: Ended): Ending {
  const { job, journal } = run
  const lost = lossOf(run)
  const stopped = ended.stopped ?? (lost && { by: lost })
  const isRefused = isUseless(run, stopped)
  let unwritten: Ending['unwritten']
  try {
    try {
      // If another process took over the job, that process writes the receipt.
      if (!lost && !isRefused) saveReceipt(context, run, ended)
    } finally {
      job?.release()
      // Erased only after the outcomes and, if possible, the receipt are on disk.
      if (job && !lost && journal.state.isFinished) eraseUnsent(job.job)
    }
  } catch (by) {
    unwritten = { by }
  }
  if (job && !lost && isRefused) removeJob(job.job)
  const canResume = job !== undefined && !journal.state.isFinished && !lost && !isRefused
  return { stopped, unwritten, ms: ended.ms, canResume }
}

function lossOf({ journal }: KeptRun): TakenOverError | undefined {
  try {
    journal.refuseLost()
  } catch (error) {
    if (error instanceof TakenOverError) return error
  }
  return undefined
}

/** A new job that a guard refused is useless; a resumed one stays. */
function isUseless({ isNew, journal, targets }: KeptRun, stopped: Ending['stopped']): boolean {
  return isNew && stopped?.by instanceof RefusedError && journal.state.counts.left === targets.length
}

function saveReceipt(context: Context, run: KeptRun, { startedAt: began, isBackupMoved }: Ended): void {
  const { journal, targets, receipt, job } = run
  if (receipt === undefined) return
  const startedAt = job?.job.header.created_at ?? new Date(began).toISOString()
  const about = { ...receiptContext(context, run, startedAt), isBackupMoved }
  try {
    writeReceipt(receipt, about, journal.state, targets)
  } catch (error) {
    throw error instanceof Failure ? error.with({ hint: otherReceipt(context, job?.job) }) : error
  }
}

/** Repeating the command for its receipt would report that nothing was there. */
export function otherReceipt(context: Context, job: Job | undefined): string {
  if (!job) return 'Keep what this command prints instead of it'
  return `Write it with: ${commandLine(context, ['jobs', 'receipt', job.name])} > FILE`
}
