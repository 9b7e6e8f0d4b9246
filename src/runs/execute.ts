import { EventEmitter, on } from 'node:events'
import { type Context, isTable, noData, type Result } from '../context.ts'
import { Failure } from '../errors.ts'
import { type Backup, openBackup } from '../jobs/backup.ts'
import { runEngine } from '../jobs/engine.ts'
import { eraseValues } from '../jobs/job.ts'
import { describeFailure, type Outcome, outcomeItem } from '../jobs/outcome.ts'
import { receiptOf, writeReceipt } from '../jobs/receipt.ts'
import { type Item, itemOf } from '../json/read-item.ts'
import { saveMemory } from '../memory.ts'
import { counted, isDelete } from '../operations/operation.ts'
import { outcomeView, rowView } from '../output/views.ts'
import { readPreview } from './confirm.ts'
import { reportMany, reportRecord } from './report.ts'
import type { Run, RunSummary } from './run.ts'
import { createBatchStep } from './steps/batch-step.ts'
import { createLists, type StepContext } from './steps/proof.ts'
import { changeTarget } from './steps/step.ts'
import { describeProgress, type FailedTarget, outcomeLines, suggestCommand } from './wording.ts'

/** Starts immediately; `end` throws if the run was stopped or failed. */
export async function execute(context: Context, run: Run): Promise<Result> {
  const { values } = context
  if (values.dryRun) return dryRun(context, run)
  const failures: FailedTarget[] = []
  const shown = new EventEmitter()
  // It never waits for the printer: a paused pager must not stop a deletion halfway.
  const waiting = on(shown, 'outcome')
  const asTable = isTable(values)
  let last: Outcome | undefined
  const ended = work(context, run, (id, outcome) => {
    last = outcome
    if (!asTable) shown.emit('outcome', outcomeItem(id, outcome))
    else if (outcome.status === 'failed') failures.push([id, outcome])
  }).finally(() => shown.emit('outcome'))
  if (run.isOne && !isDelete(run.operation)) return reportRecord(context, run, await ended, last)
  const end = async () => reportMany(context, run, await ended, run.isOne ? last : undefined)
  if (!asTable) {
    return { data: { rows: untilEnded(waiting, ended), isOne: false, view: outcomeView }, end }
  }
  await ended
  return { data: noData, draw: () => outcomeLines(run.journal.counts, failures), end }
}

/** A dry run prints the preview or the ids; in the other formats the steps run, and the connection keeps the writes. */
async function dryRun(context: Context, run: Run): Promise<Result> {
  const { values, messages } = context
  const lines = isTable(values) ? await readPreview(context, run) : []
  const draw = () => lines.map(line => line.trimStart())
  if (values.output === 'ids') {
    const items = Array.from(run.journal.remaining(), target => itemOf({ id: run.targets[target] ?? '' }))
    return { data: { rows: [items], isOne: false, view: rowView(['id']) }, draw }
  }
  if (isTable(values)) return { data: noData, draw }
  const withoutEffects = {
    ...run,
    backup: undefined,
    maxFailures: undefined,
    concurrency: 1,
    operation: { ...run.operation, wipes: false },
    values: { ...run.values, receipt: undefined },
  }
  const { stopped } = await work(context, withoutEffects, (id, outcome) => {
    if (outcome.status === 'failed') messages.warn(`${id} would fail: ${describeFailure(outcome)}`)
  })
  if (stopped) throw stopped
  return { data: noData, draw }
}

async function work(context: Context, run: Run, show: (id: string, outcome: Outcome) => void): Promise<RunSummary> {
  const { clock, interrupted } = context.host
  const { journal, operation, backup: file, job } = run
  await saveMemory(run.targets.length)
  for (const [target, uuid] of run.values.uuids?.entries() ?? []) journal.noteUuid(target, uuid)
  const began = clock.elapsed()
  const progress = { worked: 0, failed: 0, remaining: journal.countRemaining() }
  const describe = () => describeProgress(run, progress, clock.elapsed() - began)
  const fraction = () => progress.worked / Math.max(1, progress.remaining)
  const unfollow = run.targets.length > 1 ? context.progress.follow({ describe, fraction }) : undefined
  const onOutcome = (id: string, outcome: Outcome) => {
    progress.worked++
    if (outcome.status === 'failed') progress.failed++
    show(id, outcome)
  }
  let backup: Backup | undefined
  let stopped: unknown
  try {
    backup = file && openBackup(file.path, job?.name ?? '', clock)
    const saving = backup
    const { batch } = operation
    stopped = await runEngine({ ...run, batchSize: batch?.most ?? 1, clock, interrupted, onOutcome }, state => {
      const client = run.connection.client.with({ signal: state.stop.signal })
      const lists = createLists(client, operation.collection, run.scope)
      const stepping: StepContext = { ...run, client, lists, state, backup: saving }
      if (batch) return createBatchStep({ ...stepping, write: batch.write })
      return async ([target]) => (target === undefined ? undefined : changeTarget(stepping, target))
    })
    backup?.close()
  } catch (error) {
    stopped ??= error
  } finally {
    unfollow?.()
  }
  if (backup && file) context.messages.notice(`Backed up ${counted(backup.saved, operation)} to ${file.name}`)
  return { stopped, finalizeError: close(context, run, run.values.receipt), ms: clock.elapsed() - began }
}

type EndedRun = Pick<Run, 'journal' | 'job' | 'lock' | 'header' | 'targets'>

/** Writes the receipt, and leaves the job to be resumed, or erases the values to be sent. Returns what failed to be written. */
export function close(context: Context, run: EndedRun, receipt: string | undefined): unknown {
  const { journal, job, lock } = run
  try {
    journal.close()
    // Another process that took the job writes its receipt.
    lock?.check()
    if (receipt !== undefined) saveReceipt(context, run, receipt)
    // Only once the outcomes and the receipt are on disk.
    if (job && journal.isFinished) eraseValues(job)
    return undefined
  } catch (error) {
    return error
  } finally {
    lock?.release()
  }
}

/** The hint names `jobs receipt`, because the same command would find no target if it ran again. */
function saveReceipt(context: Context, { header, journal, targets, job }: EndedRun, path: string): void {
  try {
    writeReceipt(path, receiptOf(header, journal, targets))
  } catch (error) {
    if (!(error instanceof Failure) || !job) throw error
    throw error.with({ hint: `Print it with: ${suggestCommand(context, ['jobs', 'receipt', job.name])}` })
  }
}

/** If the reader of stdout closes it, the run continues to its end. */
async function* untilEnded(waiting: AsyncIterable<readonly (Item | undefined)[]>, ended: Promise<RunSummary>) {
  try {
    for await (const [item] of waiting) {
      if (!item) return
      yield [item]
    }
  } finally {
    await ended
  }
}
