import { resolve } from 'node:path'
import type { BulkOptions, GivenOptions } from '../cli/bulk-options.ts'
import type { Connection, Context, Result } from '../cli/command.ts'
import { createJob } from '../jobs/create-job.ts'
import { jobsFolder } from '../jobs/job.ts'
import { JobState } from '../jobs/job-state.ts'
import { memoryJournal } from '../jobs/journal/journal.ts'
import { writeReceipt } from '../jobs/receipts/make-receipt.ts'
import type { RequestDetails } from '../jobs/receipts/receipt.ts'
import { recordedOptions } from '../jobs/recorded-options.ts'
import type { Targets } from '../jobs/targets/target-list.ts'
import { createMarkKey } from '../jobs/undo/marks.ts'
import { outcomeView } from '../output/views.ts'
import { refuseCount } from './guards/refuse-count.ts'
import { type Operation, rowOf, withBodies } from './operation.ts'
import { savePlan } from './plans/save-plan.ts'
import { previewAndAsk, shownInFull } from './preview-and-ask.ts'
import type { OperationRun } from './run/operation-run.ts'
import { actorOf, backupFile, clockAhead, noRequestDetails, receiptContext } from './run/receipt-context.ts'
import { runOperation } from './run/run-operation.ts'
import type { Unsent } from './run/unsent.ts'
import type { Found, Selection } from './targets/selection.ts'
import { listWords } from './targets/sources.ts'
import { warnOfReceipt } from './warn-of-receipt.ts'

export interface RunOptions {
  readonly options: GivenOptions
  /** The plan that is run; its job is named after the digest, even for one target. */
  readonly planned?: { readonly sha256: string; readonly asked: RequestDetails; readonly maxFailures: number | null }
}

interface Chosen {
  readonly connection: Connection
  readonly operation: Operation
  readonly selection: Selection
  readonly found: Found
}

/** Returns a function that starts the run; the job is stored already. */
export async function prepareRun(
  context: Context,
  { connection, operation: template, selection, found }: Chosen,
  { options, planned, ...limits }: RunOptions & Pick<OperationRun, 'concurrency' | 'maxDuration'>,
): Promise<() => Promise<Result>> {
  const { plan } = options
  const { ids } = found
  const { limit, bodies, isOne, selectedBy } = selection
  const asked = planned?.asked ?? requestDetails(found, options)
  refuseCount(ids.length, options, limit)
  const receipt = receiptFile(context, options)
  warnOfReceipt(context, receipt)
  if (ids.length === 0 && plan === undefined) {
    const result = nothingToDo(context, connection, template, receipt, asked)
    return async () => result
  }
  const operation = bodies ? withBodies(template, ids, bodies) : template
  await previewAndAsk(context, { connection, operation, ids, isOne, selectedBy, planning: plan !== undefined })
  if (plan !== undefined) {
    const what = {
      operation,
      base_url: connection.client.base.href,
      selection: selectedBy?.(shownInFull) ?? listWords(options),
      targets: ids,
    }
    const result = savePlan(context, what, asked, { ...options, plan })
    return async () => result
  }
  const run: OperationRun = {
    connection,
    operation,
    targets: ids,
    journal: memoryJournal(new JobState(ids.length)),
    ...limits,
    serverFormat: options.serverFormat,
    isOne,
  }
  if (context.values.dryRun) return () => runOperation(context, run)
  const { maxFailures, canary } = options
  const backup = backupFile(context.host, options.backup)
  const whole = { ...run, maxFailures, canary, backup, receipt, asked }
  if (ids.length <= 1 && planned === undefined) return () => runOperation(context, whole)
  const ofJob = createRunJob(context, whole, ids, options, planned)
  return () => runOperation(context, ofJob)
}

function receiptFile({ host }: Context, { receipt }: BulkOptions): string | undefined {
  return receipt === undefined ? undefined : resolve(host.cwd, receipt)
}

function requestDetails({ input }: Found, { reason, requestedBy, received }: BulkOptions): RequestDetails {
  return {
    reason: reason ?? null,
    requestedBy: requestedBy ?? null,
    received: received ?? null,
    input: input ?? null,
  }
}

/** An empty list means no targets, never all. */
function nothingToDo(
  context: Context,
  connection: Connection,
  operation: Operation,
  receipt: string | undefined,
  asked: RequestDetails,
): Result {
  const { host, values, messages } = context
  messages.notice('Nothing to do: there are no targets')
  if (receipt !== undefined && !values.dryRun) {
    const startedAt = new Date(host.clock.now()).toISOString()
    const run = { connection, operation, asked }
    writeReceipt(receipt, receiptContext(context, run, startedAt), new JobState(0), [])
  }
  return { document: { shape: 'list', batches: [], view: outcomeView } }
}

/** The job is on disk before the first target is changed. */
function createRunJob(
  context: Context,
  run: OperationRun,
  ids: Targets,
  options: GivenOptions,
  planned: RunOptions['planned'],
): OperationRun {
  const { host, settings } = context
  const { operation, receipt, backup, connection, asked = noRequestDetails } = run
  const jobs = jobsFolder(context.stateFolder())
  const { command } = operation
  const profile = settings.profile?.name ?? null
  const header = {
    command,
    path: { ...operation.path },
    profile,
    base: connection.client.base.href,
    options: recordedOptions(options),
    receipt: { asked, actor: actorOf(context), backup: backup ?? null, clockAhead: clockAhead(host, connection) },
    markKey: backup && rowOf(operation).undoneBy ? createMarkKey() : undefined,
    plan: planned?.sha256,
    plannedFailures: planned?.maxFailures,
  }
  const unsent: Unsent = { operation, receipt }
  const job = createJob(jobs, header, ids, unsent, host)
  return { ...run, targets: job.job.targets, journal: job.journal, job, isNew: true }
}
