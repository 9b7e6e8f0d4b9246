/** What a run that has ended says: its summary or its record, what is left to do, and the failure that it exits with. */
import { isAbsolute, relative } from 'node:path'
import type { Context } from '../context.ts'
import { Failure, InterruptedError, OutOfTimeError, PartialError } from '../errors.ts'
import type { Job } from '../jobs/job.ts'
import { codes, describeFailure, type Outcome } from '../jobs/outcome.ts'
import { summaryOf, type Tally, workedIn } from '../jobs/summary.ts'
import {
  batchOf,
  counted,
  deletesEvents,
  isDelete,
  operationWords,
  rowOf,
  targetName,
} from '../operations/operation.ts'
import { noData, type Result } from '../result.ts'
import { commandLine, suggest } from '../suggest-command.ts'
import { grouped } from '../text/grouped.ts'
import { nextBatch } from '../values/instant.ts'
import { describeOperation } from './place.ts'
import type { Ending, KeptRun } from './run.ts'
import { writeResult } from './write-result.ts'

export function reportMany(context: Context, run: KeptRun, ending: Ending, tally: Tally): void {
  const { operation, journal, job } = run
  const { messages } = context
  const { stopped, unwritten, ms, canResume } = ending
  const { counts, total, isFinished } = journal.state
  const maybeDone = journal.state.countMaybeDone()
  const words = { done: operationWords(operation).done.trim(), counted: (count: number) => counted(count, operation) }
  messages.notice(summaryOf(words, { ...counts, maybeDone }, ms, workedIn(tally)))
  if (tally.deleted > 0) {
    reportEvents(context, run)
    reportAccepted(context, run)
  }
  if (counts.gone === total) messages.warn('All targets were gone already: check the project and the profile')
  if (job && canResume) sayHowToResume(context, job.job)
  const failed = `${grouped(counts.failed)} of ${grouped(total)} failed`
  if (stopped || counts.failed > 0) {
    sayUnwritten(context, unwritten)
    const retryable = !isFinished
    throw stopped ? withRetryable(stopped.by, retryable, job !== undefined) : new PartialError(failed, { retryable })
  }
  if (unwritten) throw unwritten.by
  suggestVerify(context, run)
}

/** The only target. Throws its failure; if fields were not applied, it first prints the record. */
export function reportOne(context: Context, run: KeptRun, { stopped, unwritten }: Ending, outcome?: Outcome): Result {
  const { connection, operation, targets, job } = run
  const isDone = outcome?.status === 'deleted' || outcome?.status === 'updated'
  if (!isDone) {
    sayUnwritten(context, unwritten)
    if (stopped?.by instanceof InterruptedError && job) sayHowToResume(context, job.job)
    if (stopped) throw stopped.by
  }
  if (!outcome) return { data: noData }
  const { item, failure } = outcome
  const isUnapplied = outcome.status === 'failed' && outcome.error.code === codes.notApplied
  if (failure && !isUnapplied) throw failure
  const what = targetName(operation, targets.at(0) ?? '')
  if (outcome.status === 'deleted' && outcome.evidence === 'inferred') {
    context.messages.notice('No answer said that it was deleted; it is gone, so it counts as deleted')
  }
  if (outcome.status !== 'failed' && outcome.change === 'unneeded') {
    context.messages.notice(`Nothing to do: ${what} needs no change`)
  }
  const [form, status] = isDelete(operation) ? (['done', 'deleted'] as const) : (['accepted', 'accepted'] as const)
  return writeResult(context, {
    id: targets.at(0) ?? '',
    done: describeOperation(context, connection, operation, what, { form }),
    view: rowOf(operation).view,
    status,
    item,
    failure,
    conclude() {
      if (outcome.status === 'deleted') reportEvents(context, run)
      const fault = stopped ?? unwritten
      if (fault) throw fault.by
      suggestVerify(context, run)
    },
  })
}

export function reportExpected({ messages }: Context, outcomes: readonly (readonly [string, Outcome])[]): Result {
  const failures = outcomes.flatMap(([id, outcome]) => (outcome.status === 'failed' ? [{ id, outcome }] : []))
  const [first] = failures
  if (first) {
    const what = `${grouped(failures.length)} of ${grouped(outcomes.length)} would fail`
    messages.warn(`${what}, such as ${first.id}: ${describeFailure(first.outcome)}`)
  }
  return { data: noData }
}

/** For a run that ends with another failure. */
function sayUnwritten({ messages }: Context, unwritten: Ending['unwritten']): void {
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

/** Answers do not say when the queued events are deleted. */
function reportEvents({ messages }: Context, { operation, connection }: KeptRun): void {
  if (!deletesEvents(operation)) return
  const time = new Date(nextBatch(connection.now()))
  const utc = time.toISOString().slice(0, 16).replace('T', ' ')
  messages.notice(
    `The events are due to be deleted on Sunday ${utc} UTC (${local(time)} here), unless the operator changed the schedule`,
  )
}

function local(time: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-')
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`
}

/** `persons verify` reads only receipts of deleted persons. */
function suggestVerify(context: Context, { operation, receipt }: KeptRun): void {
  if (operation.command !== 'persons delete' || receipt === undefined) return
  suggest(context, verifying(context, receipt))
}

/** A server may only queue what it deletes many at a time. */
function reportAccepted(context: Context, { operation, receipt, job }: KeptRun): void {
  if (batchOf(operation) === undefined) return
  const verify = commandLine(context, verifying(context, receipt ?? 'FILE'))
  const first = ['jobs', 'receipt', job?.job.name ?? 'JOB']
  const write = receipt === undefined ? `${commandLine(context, first)} > FILE, then ` : ''
  context.messages.notice(`The service accepted this, and may do it later; see who is gone with: ${write}${verify}`)
}

function verifying({ host }: Context, receipt: string): readonly string[] {
  const near = relative(host.cwd, receipt)
  const isNear = isAbsolute(receipt) && !near.startsWith('..') && !isAbsolute(near)
  return ['persons', 'verify', '--receipt', isNear ? near : receipt]
}
