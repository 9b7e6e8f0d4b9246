/** What every command that changes objects does: choose targets, check, show, ask, run. One target is a run of one. */
import { resolve } from 'node:path'
import type { Connection, Context, Result } from '../cli/command.ts'
import { asks } from '../cli/confirm.ts'
import { RefusedError, UsageError } from '../errors.ts'
import { createJob } from '../jobs/create-job.ts'
import { jobsFolder } from '../jobs/job.ts'
import { JobState } from '../jobs/job-state.ts'
import { memoryJournal } from '../jobs/journal/journal.ts'
import { writeReceipt } from '../jobs/make-receipt.ts'
import { createMarkKey } from '../jobs/marks.ts'
import type { Asked } from '../jobs/receipt.ts'
import type { Targets } from '../jobs/target-list.ts'
import { outcomeView } from '../output/views.ts'
import { asksAbout, refuseForbidden, refuseUnasked, refuseUnlimitedConsent } from './guards/consent.ts'
import { guardCount } from './guards/guard-count.ts'
import { refuseBeyondLimits } from './guards/limits.ts'
import { refuseSecrets } from './guards/refuse-secrets.ts'
import { refuseCurrent, refuseUnusable } from './guards/refuse-unusable.ts'
import { isDelete, needsRecord, type Operation, type OperationRequest, rowOf, withBodies } from './operation.ts'
import { fixPlace, fixTarget, operationIn, requirePlace } from './place.ts'
import { previewAndAsk } from './preview-and-ask.ts'
import type { OperationRun } from './run/operation-run.ts'
import { actorOf, backupFile, clockAhead, nothingAsked, receiptContext } from './run/receipt-context.ts'
import { runOperation, type Unsent } from './run/run-operation.ts'
import { savePlan } from './save-plan.ts'
import { chooseTargets, type Selection } from './targets/choose-targets.ts'
import { recordedOptions, type TargetOptions } from './targets/target-options.ts'

interface Changing {
  readonly ids: readonly string[]
  /** Targets that are known already. */
  readonly selection?: Selection
  /** The plan that is run: its job is named after the digest, also for one target. */
  readonly planned?: { readonly sha256: string; readonly asked: Asked }
  /** Throws where the connection leads to another place than the one that is meant; else returns it with ids for `@current`. */
  readonly checkPlace?: (connection: Connection) => Promise<Connection>
  readonly options: TargetOptions
  /** A job keeps the names of these options. */
  readonly given?: Readonly<Record<string, unknown>>
  /** Prints the server's own body; for one id only. */
  readonly format?: 'csv' | 'json' | undefined
}

/** Throws a `Failure` where the run cannot begin; a later failure comes with the result. */
export async function changeTargets(context: Context, request: OperationRequest, changing: Changing): Promise<Result> {
  const { values } = context
  const { ids: typed, options, format } = changing
  refuseUnusable(context, request, changing)
  const { collection } = rowOf(request)
  const chosen = changing.selection ?? (await chooseTargets(context, collection, typed, options))
  if (collection === 'projects' && chosen.ids) refuseCurrent(chosen.ids)
  if (format !== undefined && chosen.single === undefined) {
    throw new UsageError('--server-format goes with one id only: it prints one answer', { hint: 'Leave it out' })
  }
  refuseUnlimitedConsent(context, request, chosen, options)
  const concurrency = values.dryRun ? 1 : (options.concurrency ?? 8)
  const connected = await context.connect(chosen.single === undefined ? { connections: concurrency } : undefined)
  requirePlace(connected, request)
  await refuseSecrets(context, connected, { ...options, ...changing.planned?.asked })
  const { plan } = options
  // The receipt is demanded when the plan runs.
  const promised = { ...options, receipt: options.receipt ?? plan, plan: plan ?? changing.planned?.sha256 }
  refuseForbidden(context, connected, request, chosen, promised)
  const opened = (await changing.checkPlace?.(connected)) ?? connected
  if (plan === undefined) refuseUnasked(context, opened, request, chosen)
  const isFixed = isReadBefore(context, request, chosen, promised)
  const connection = isFixed || chosen.single === undefined ? await fixPlace(opened, request) : opened
  const selection = isFixed ? await fixTarget(connection, chosen) : chosen

  const template = await operationIn(connection, request)
  try {
    const ids = selection.ids ?? (await selection.find(connection, concurrency))
    if (isDelete(template)) refuseBeyondLimits(context, { ...promised, count: ids.length })
    const run = await prepareRun(context, connection, template, selection, ids, { ...changing, concurrency })
    selection.lookups?.()?.remove()
    return await run()
  } catch (error) {
    const lookups = selection.lookups?.()
    if (error instanceof RefusedError) lookups?.remove()
    else lookups?.keep()
    throw error
  }
}

/** Whether a single target is shown, saved, or named in a file, and must be the same one when it is changed. */
function isReadBefore(
  context: Context,
  request: OperationRequest,
  selection: Selection,
  { receipt, backup }: TargetOptions,
): boolean {
  if (receipt !== undefined || backup !== undefined || needsRecord(request)) return true
  return asks(context) && asksAbout(context, request, selection)
}

/** Checks the number, shows and asks. What it returns begins the run, which is kept by then. */
async function prepareRun(
  context: Context,
  connection: Connection,
  template: Operation,
  selection: Selection,
  ids: Targets,
  { options, given = {}, format, planned, concurrency }: Changing & { readonly concurrency: number },
): Promise<() => Promise<Result>> {
  const { plan } = options
  const asked = planned?.asked ?? askedIn(selection, options)
  guardCount(ids.length, options, selection.limit)
  if (ids.length === 0 && plan === undefined) {
    const result = nothingToDo(context, connection, template, receiptFile(context, options), asked)
    return async () => result
  }
  const operation = selection.bodies ? withBodies(template, ids, selection.bodies) : template
  await previewAndAsk(context, { connection, operation, selection, ids, planning: plan !== undefined })
  if (plan !== undefined) {
    const result = savePlan(context, connection, operation, ids, asked, { ...options, plan })
    return async () => result
  }
  const run: OperationRun = {
    connection,
    operation,
    targets: ids,
    journal: memoryJournal(new JobState(ids.length)),
    concurrency,
    format,
    isSingle: selection.single !== undefined || selection.isOne === true,
  }
  if (context.values.dryRun) return () => runOperation(context, run)
  const { maxFailures, maxDuration, canary, backup } = options
  const full = {
    ...run,
    maxFailures,
    maxDuration,
    canary,
    backup,
    receipt: receiptFile(context, options),
    asked,
  }
  const isJob = ids.length > 1 || planned !== undefined
  const kept = isJob ? createRunJob(context, full, ids, { ...given, ...options }, planned?.sha256) : full
  return () => runOperation(context, kept)
}

function receiptFile({ host }: Context, { receipt }: TargetOptions): string | undefined {
  return receipt === undefined ? undefined : resolve(host.cwd, receipt)
}

function askedIn({ input }: Selection, { reason, requestedBy, received }: TargetOptions): Asked {
  return {
    reason: reason ?? null,
    requestedBy: requestedBy ?? null,
    received: received ?? null,
    input: input?.() ?? null,
  }
}

/** An empty list means nothing to do, never everything. */
function nothingToDo(
  context: Context,
  connection: Connection,
  operation: Operation,
  receipt: string | undefined,
  asked: Asked,
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

/** A run of several targets is a job, on disk before the first target is changed. */
function createRunJob(
  context: Context,
  run: OperationRun,
  ids: Targets,
  options: Readonly<Record<string, unknown>>,
  plan?: string,
): OperationRun {
  const { host, settings } = context
  const { operation, receipt, connection, asked = nothingAsked } = run
  const backup = backupFile(host, run.backup)
  const jobs = jobsFolder(context.stateFolder())
  const { command } = operation
  const profile = settings.profile?.name ?? null
  const header = {
    command,
    path: { ...operation.path },
    profile,
    base: connection.client.base.href,
    options: recordedOptions(options),
    receipt: { asked, actor: actorOf(context), backup, clockAhead: clockAhead(host, connection) },
    markKey: backup && rowOf(operation).undoneBy ? createMarkKey() : undefined,
    plan,
  }
  const unsent: Unsent = { operation, receipt, backup: backup?.path }
  const job = createJob(jobs, header, ids, unsent, host)
  return { ...run, targets: job.job.targets, journal: job.journal, job, isNew: true }
}
