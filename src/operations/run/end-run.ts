import type { Context } from '../../context.ts'
import { Failure, InterruptedError, OutOfTimeError, PartialError, RefusedError } from '../../errors.ts'
import { eraseUnsent, type Job, removeJob } from '../../jobs/job.ts'
import { TakenOverError } from '../../jobs/journal/generation-file.ts'
import { writeReceipt } from '../../jobs/receipts/make-receipt.ts'
import { summaryOf, type Tally, workedIn } from '../../jobs/summary.ts'
import { commandLine } from '../../suggest-command.ts'
import { grouped } from '../../text/grouped.ts'
import { counted, deletesEvents, operationWords } from '../operation.ts'
import { describeSchedule } from './deletion-schedule.ts'
import { receiptContext } from './receipt-context.ts'
import type { Ending, KeptRun } from './run.ts'
import { reportAccepted, suggestVerify } from './suggest-verify.ts'

interface Ended {
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly ms: number
  readonly stopped: Ending['stopped']
  /** The name of the backup belongs to another file, or to none. */
  readonly isBackupMoved: boolean
}

export function endRun(context: Context, run: KeptRun, ended: Ended): Ending {
  const { job } = run
  const { stopped: by, ms } = ended
  const lost = lossOf(run)
  const stopped = by ?? (lost && { by: lost })
  let unwritten: Ending['unwritten']
  try {
    try {
      // If another process took over the job, that process writes the receipt.
      if (!lost && !isRefused(run, stopped)) saveReceipt(context, run, ended)
    } finally {
      job?.release()
      // Erased only after the outcomes and, if possible, the receipt are on disk.
      if (job && !lost && run.journal.state.isFinished) eraseUnsent(job.job)
    }
  } catch (by) {
    unwritten = { by }
  }
  if (job && !lost && isRefused(run, stopped)) removeJob(job.job)
  return { stopped, unwritten, ms, isLost: lost !== undefined }
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
function isRefused({ isNew, journal, targets }: KeptRun, stopped: Ending['stopped']): boolean {
  return isNew && stopped?.by instanceof RefusedError && journal.state.counts.left === targets.length
}

function saveReceipt(context: Context, run: KeptRun, { startedAt: began, isBackupMoved }: Ended): void {
  const { journal, targets, receipt, job } = run
  if (context.values.dryRun || receipt === undefined) return
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
  return `Write it with: ${commandLine(context, ['jobs', 'receipt', job.name, '--output-file', 'FILE'])}`
}

export function reportRun(
  context: Context,
  run: KeptRun,
  { stopped, unwritten, ms, isLost }: Ending,
  tally: Tally,
): void {
  const { operation, journal, job } = run
  const { messages } = context
  const { counts, total, unanswered } = journal.state
  const words = { done: operationWords(operation).done.trim(), counted: (count: number) => counted(count, operation) }
  messages.notice(summaryOf(words, { ...counts, unanswered }, ms, workedIn(tally)))
  reportEvents(context, run, tally.deleted > 0)
  if (tally.deleted > 0) reportAccepted(context, run)
  if (counts.gone === total) messages.warn('All targets were gone already: check the project and the profile')
  const retryable = !journal.state.isFinished
  if (job && retryable && !isLost && !isRefused(run, stopped)) {
    sayHowToResume(context, job.job)
  }
  const failed = `${grouped(counts.failed)} of ${grouped(total)} failed`
  if (stopped || counts.failed > 0) {
    sayUnwritten(context, unwritten)
    throw stopped ? withRetryable(stopped.by, retryable, job !== undefined) : new PartialError(failed, { retryable })
  }
  if (unwritten) throw unwritten.by
  suggestVerify(context, run)
}

/** For a run that ends with another failure. */
export function sayUnwritten({ messages }: Context, unwritten: Ending['unwritten']): void {
  if (!unwritten) return
  const { by } = unwritten
  if (!(by instanceof Failure)) throw by
  const { hint } = by.facts
  messages.fault(hint === undefined ? by.message : `${by.message}. ${hint}`)
}

/** `retryable`: something is left to try; `isJob`: a resume can try it. */
function withRetryable(error: unknown, retryable: boolean, isJob: boolean): unknown {
  // The resume checks the targets without an answer.
  if (error instanceof InterruptedError) return isJob ? error.with({ hint: undefined }) : error
  if (!(error instanceof PartialError)) return error
  const isSaid = isJob && retryable && error instanceof OutOfTimeError
  return error.with({ retryable, ...(isSaid ? { hint: undefined } : {}) })
}

export function sayHowToResume(context: Context, { name }: Job): void {
  context.messages.say(`Resume with: ${commandLine(context, ['jobs', 'resume', name])}`)
}

export function reportEvents({ messages }: Context, { operation, connection }: KeptRun, deleted: boolean): void {
  if (deleted && deletesEvents(operation)) messages.notice(describeSchedule(connection.now()))
}
