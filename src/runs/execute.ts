import { resolve } from 'node:path'
import type { Context } from '../context.ts'
import { type Backup, openBackup } from '../jobs/backup.ts'
import { runEngine } from '../jobs/engine.ts'
import { type Failed, type Outcome, outcomeItem } from '../jobs/outcome.ts'
import { OutcomeQueue } from '../jobs/outcome-queue.ts'
import { emptyTally, lengthOf, type Tally, tableOf, workedIn } from '../jobs/summary.ts'
import type { Item } from '../json/item.ts'
import { batchOf, counted } from '../operations/operation.ts'
import { isTable } from '../output/is-table.ts'
import { outcomeView } from '../output/views.ts'
import type { Result } from '../result.ts'
import { countOf, grouped } from '../text/grouped.ts'
import { writeRate } from '../values/duration.ts'
import { closeRun } from './close-run.ts'
import { countRequests } from './cost.ts'
import { reportExpected, reportMany, reportOne } from './report.ts'
import type { Ending, KeptRun } from './run.ts'
import { createBatchStep } from './steps/batch-step.ts'
import { confirmGone, createProof } from './steps/proof.ts'
import { createStep } from './steps/step.ts'

/** Starts immediately; `conclude` throws if the run was stopped or failed. */
export async function execute(context: Context, run: KeptRun): Promise<Result> {
  const { values } = context
  const tally = emptyTally()
  if (values.dryRun || run.isOne) {
    const outcomes: [string, Outcome][] = []
    const ending = await work(context, run, tally, (id, outcome) => outcomes.push([id, outcome]))
    if (!values.dryRun) return reportOne(context, run, ending, outcomes[0]?.[1])
    if (ending.stopped) throw ending.stopped.by
    return reportExpected(context, outcomes)
  }
  const failures: [string, Failed][] = []
  const queue = new OutcomeQueue()
  const asTable = isTable(values)
  const ended = work(context, run, tally, (id, outcome) => {
    if (!asTable) queue.push(outcomeItem(id, outcome))
    else if (outcome.status === 'failed') failures.push([id, outcome])
  }).finally(() => queue.end())
  const conclude = async () => reportMany(context, run, await ended, tally)
  if (!asTable) {
    return { data: { rows: untilEnded(queue, ended), isOne: false, view: outcomeView }, end: conclude }
  }
  await ended
  const { left } = run.journal.state.counts
  return { data: { text: tableOf({ ...tally, left }, failures) }, end: conclude }
}

/** Never rejects. */
async function work(
  context: Context,
  run: KeptRun,
  tally: Tally,
  show: (id: string, outcome: Outcome) => void,
): Promise<Ending> {
  const { host, values, progress } = context
  const { connection, journal, operation, reads } = run
  const { clock, interrupted: signal } = host
  const { client } = connection
  const startedAt = clock.now()
  const began = clock.elapsed()
  const remaining = values.dryRun ? 0 : journal.state.countRemaining()
  const share = () => workedIn(tally) / Math.max(1, remaining)
  const describe = () => describeProgress(run, tally, remaining, clock.elapsed() - began)
  const isFollowed = !values.dryRun && run.targets.length > 1
  const unfollow = isFollowed ? progress.follow({ describe, share }) : undefined
  let unshown = 0
  const onOutcome = (id: string, outcome: Outcome) => {
    tally[outcome.status]++
    if (outcome.status !== 'failed' && outcome.change === 'unshown') unshown++
    show(id, outcome)
  }
  const backup = run.backup === undefined ? undefined : openBackup(run.backup.path)
  // A process may sleep during a wait before a request, or between two requests of a target.
  const check = () => journal.refuseLost()
  const limited = client.within({ check })
  const proof = createProof(limited, operation, reads.note)
  const looking = { proof, operation, clock, signal }
  const isDryRun = values.dryRun ?? false
  const confirm = async (id: string, outcome: Outcome) => (isDryRun ? outcome : confirmGone(looking, id, outcome))
  const batch = batchOf(operation) ?? 1
  const markKey = run.job?.job.header.markKey
  const stepping = { client: limited, operation, clock, signal, backup, confirm, reads, isDryRun, markKey }
  const step = batch > 1 ? createBatchStep({ ...stepping, proof, concurrency: run.concurrency }) : createStep(stepping)
  let stopped: Ending['stopped']
  let isBackupMoved = false
  try {
    // The first target of a run in batches goes alone: it shows whether the service knows the request, and deletes.
    const canary = batch > 1 ? 1 : 0
    await runEngine({ ...run, batch, canary, clock, signal, step, proof, confirm, onOutcome })
  } catch (by) {
    stopped = { by }
  } finally {
    unfollow?.()
    isBackupMoved = !closeBackup(context, run, backup)
    reportUnshown(context, run, unshown)
  }
  const ms = clock.elapsed() - began
  return closeRun(context, run, { startedAt, ms, stopped, isBackupMoved })
}

function closeBackup({ messages, host }: Context, { backup: file, operation }: KeptRun, backup?: Backup): boolean {
  if (!file || !backup) return true
  const isThere = backup.close()
  // A resume may run in another folder than the one in which the name was typed.
  const path = resolve(host.cwd, file.name) === file.path ? file.name : file.path
  const saved = `Saved ${counted(backup.saved, operation)} in ${path}`
  if (isThere) messages.notice(saved)
  else messages.fault(`${saved}, which was moved or removed during the run`)
  return isThere
}

function reportUnshown({ messages }: Context, { operation }: KeptRun, unshown: number): void {
  if (unshown === 0) return
  const [answers, show, them] = unshown === 1 ? ['answer', 'does', 'it'] : ['answers', 'do', 'them']
  messages.warn(
    `The ${answers} for ${counted(unshown, operation)} ${show} not show the change yet; read ${them} again later`,
  )
}

function describeProgress(run: KeptRun, tally: Tally, remaining: number, ms: number): string {
  const worked = workedIn(tally)
  const left = remaining - worked
  const requests = countRequests(run, left)
  const interval = run.connection.interval()
  const needed = interval === undefined ? (left * ms) / worked : requests * interval
  const time = Number.isFinite(needed) ? `, about ${lengthOf(needed)} left` : ''
  const failed = tally.failed > 0 ? `, ${grouped(tally.failed)} failed` : ''
  const rate = worked > 0 ? `, ${writeRate(Math.max(1, ms) / worked)}` : ''
  // A narrow terminal cuts the end.
  return `${grouped(worked)} of ${grouped(remaining)}${failed}${rate}${time} (${countOf(requests, 'request', 'requests')})`
}

/** If the reader leaves, the run continues to its end. */
async function* untilEnded(queue: OutcomeQueue, ended: Promise<Ending>): AsyncGenerator<readonly Item[]> {
  try {
    yield* queue
  } finally {
    await ended
  }
}
