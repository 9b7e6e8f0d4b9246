/** A run on its way: driven, shown as it goes, and told of at its end. */

import type { Connection, Context, Result } from '../cli/command.ts'
import { commandLine } from '../cli/suggest-command.ts'
import { PartialError, RefusedError } from '../errors.ts'
import { runEngine } from '../jobs/engine.ts'
import { eraseUnsent, removeJob } from '../jobs/job.ts'
import { runStateOf } from '../jobs/job-state.ts'
import type { Journal } from '../jobs/journal.ts'
import type { LockedJob } from '../jobs/locked-job.ts'
import { type Failed, type Outcome, outcomeItem } from '../jobs/outcome.ts'
import { OutcomeQueue } from '../jobs/outcome-queue.ts'
import { writeReceipt } from '../jobs/receipt.ts'
import { emptyTally, lengthOf, rateOf, summaryOf, type Tally, tableOf, workedIn } from '../jobs/summary.ts'
import type { Item } from '../json/item.ts'
import { widthForBars } from '../output/bars.ts'
import { showProgress } from '../output/progress.ts'
import { outcomeView } from '../output/views.ts'
import { escapeControls } from '../values/escape-controls.ts'
import { grouped } from '../values/grouped.ts'
import { describeSchedule } from './deletion-schedule.ts'
import { deletesEvents, type Operation } from './operations.ts'
import { receiptContext } from './receipt-context.ts'
import { suggestVerify } from './suggest-verify.ts'

/** What a job keeps to be sent: the rest of the operation stands in its header. */
export interface Unsent extends Pick<Operation, 'params' | 'body'> {
  readonly receipt?: { readonly path: string; readonly reason: string | null } | undefined
}

export interface OperationRun {
  readonly connection: Connection
  readonly change: Operation
  readonly ids: readonly string[]
  readonly journal: Journal
  readonly concurrency: number
  readonly maxFailures?: number | undefined
  readonly canary?: number | undefined
  readonly receipt?: Unsent['receipt']
  /** The job that keeps the run; given back at its end. */
  readonly held?: LockedJob | undefined
  /** Whether that job was made for this run. */
  readonly isNew?: boolean
}

/** How a run ended. */
interface Ending {
  readonly stopped: { readonly by: unknown } | undefined
  readonly ms: number
}

/** Begins at once. The result shows outcomes as they come, and its end throws what stopped the run, or what failed. */
export async function runOperation(context: Context, running: OperationRun): Promise<Result> {
  const { values } = context
  const tally = emptyTally()
  const failures: [string, Failed][] = []
  const feed = new OutcomeQueue<Item>()
  // As a table there is nothing to show before the end.
  const asTable = (values.output ?? 'table') === 'table' && values.query === undefined && values.fields === undefined
  const ended = work(context, running, tally, (id, outcome) => {
    if (!asTable) feed.push(outcomeItem(id, outcome))
    else if (outcome.status === 'failed') failures.push([id, outcome])
  }).finally(() => feed.end())
  const told = { persists: true, afterwards: async () => conclude(context, running, await ended, tally) } as const
  if (asTable || values.dryRun) await ended
  if (values.dryRun) return { text: '', ...told }
  if (asTable) {
    const left = running.journal.state.counts.left
    const width = widthForBars(context.host, values.outputFile)
    return { text: escapedLines(tableOf({ ...tally, left }, failures, width)), ...told }
  }
  return { document: { shape: 'list', batches: untilEnded(feed, ended), view: outcomeView }, ...told }
}

/** Does all of it; never rejects. */
async function work(
  context: Context,
  running: OperationRun,
  tally: Tally,
  show: (id: string, outcome: Outcome) => void,
): Promise<Ending> {
  const { host, values } = context
  const { connection, journal, ids } = running
  const began = host.clock.now()
  const { counts } = journal.state
  const remaining = values.dryRun ? 0 : counts.left + counts.failed
  const share = () => workedIn(tally) / Math.max(1, remaining)
  const describe = () => progressOf(tally, remaining, host.clock.now() - began)
  const quiet = (values.quiet ?? false) || (values.dryRun ?? false)
  const progress = showProgress({ stderr: host.stderr, clock: host.clock, quiet, describe, share })
  const onOutcome = (target: number, outcome: Outcome) => {
    tally[outcome.status]++
    show(ids[target] ?? '', outcome)
    progress.tick()
  }
  let stopped: Ending['stopped']
  try {
    const { clock, interrupted: signal } = host
    await runEngine({ ...running, client: connection.client, clock, signal, onOutcome })
  } catch (by) {
    stopped = { by }
  } finally {
    progress.end()
  }
  return close(context, running, began, stopped)
}

/** Writes what is to be written, and lets go of the job. What fails here is told of unless something else did before. */
function close(context: Context, running: OperationRun, began: number, by: Ending['stopped']): Ending {
  const { held } = running
  const ms = context.host.clock.now() - began
  let stopped = by
  try {
    try {
      report(context, running, began)
    } finally {
      held?.release()
    }
    // Only now: a receipt or an outcome that could not be written is still to be written.
    if (held && runStateOf(running.journal.state) === 'done') eraseUnsent(held.job)
  } catch (by) {
    stopped ??= { by }
  }
  if (held && isRefused(running, stopped)) removeJob(held.job)
  return { stopped, ms }
}

/** A guard said no to all of it: then a job that was made for this run is of no use. One that was resumed stays. */
function isRefused({ isNew, journal, ids }: OperationRun, stopped: Ending['stopped']): boolean {
  return isNew === true && stopped?.by instanceof RefusedError && journal.state.counts.left === ids.length
}

function report(
  context: Context,
  { connection, change, journal, ids, receipt, held }: OperationRun,
  began: number,
): void {
  const { host, values } = context
  if (values.dryRun || !receipt) return
  const startedAt = held?.job.header.created_at ?? new Date(began).toISOString()
  const told = { connection, job: held?.job.name ?? null, reason: receipt.reason, startedAt }
  writeReceipt(receipt.path, receiptContext(context, change, told), journal.state, ids, host.clock)
}

/** Says how it ended, and throws what that is as an exit code. */
function conclude(context: Context, running: OperationRun, { stopped, ms }: Ending, tally: Tally): void {
  const { connection, change, journal, held, receipt } = running
  const { messages, values } = context
  if (values.dryRun) {
    if (stopped) throw stopped.by
    return
  }
  const { counts } = journal.state
  messages.notice(summaryOf(change, counts, ms, workedIn(tally)))
  if (deletesEvents(change) && tally.deleted > 0) messages.notice(describeSchedule(connection.now()))
  if (counts.gone === journal.state.total) messages.warn('None of them was there: check the project and the profile')
  const isLeft = counts.left + counts.failed > 0 || stopped !== undefined
  if (held && isLeft && !isRefused(running, stopped)) {
    messages.say(`Resume with: ${commandLine(context, ['jobs', 'resume', held.job.name])}`)
  }
  if (stopped) throw stopped.by
  if (counts.failed > 0) throw new PartialError(`${grouped(counts.failed)} of ${grouped(journal.state.total)} failed`)
  if (receipt) suggestVerify(context, change, receipt.path)
}

function progressOf(tally: Tally, remaining: number, ms: number): string {
  const worked = workedIn(tally)
  const left = worked > 0 ? `, about ${lengthOf(((remaining - worked) * ms) / worked)} left` : ''
  const failed = tally.failed > 0 ? `, ${grouped(tally.failed)} failed` : ''
  return `${grouped(worked)} of ${grouped(remaining)}${failed}, ${rateOf(worked, ms)}${left}`
}

/** A reader that leaves does not end the run: this ends with it, not before. */
async function* untilEnded(feed: OutcomeQueue<Item>, ended: Promise<Ending>): AsyncGenerator<readonly Item[]> {
  try {
    yield* feed
  } finally {
    await ended
  }
}

function escapedLines(text: string): string {
  return text.split('\n').map(escapeControls).join('\n')
}
