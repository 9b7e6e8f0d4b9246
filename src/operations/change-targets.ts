/** What every command that changes objects does: choose targets, check, show, ask, run. One target is a run of one. */
import { resolve } from 'node:path'
import type { Connection, Context, Result } from '../cli/command.ts'
import { asks } from '../cli/confirm.ts'
import { checkServerFormat } from '../cli/server-format.ts'
import { UsageError } from '../errors.ts'
import { checkWritable } from '../files/private-file.ts'
import { checkBackup } from '../jobs/backup.ts'
import { createJob } from '../jobs/create-job.ts'
import { jobsFolder } from '../jobs/job.ts'
import { JobState } from '../jobs/job-state.ts'
import { memoryJournal } from '../jobs/journal.ts'
import { type Asked, writeReceipt } from '../jobs/receipt.ts'
import type { Targets } from '../jobs/target-list.ts'
import { outcomeView } from '../output/views.ts'
import { ask, asksAbout, named, refuseForbidden, refuseUnasked, refuseUnlimitedConsent } from './consent.ts'
import { refuseBeyondLimits } from './limits.ts'
import { counted, isDelete, type Operation, type OperationRequest, rowOf, withBodies } from './operation.ts'
import { describeOperation, operationIn, projectName } from './place.ts'
import { preview } from './preview.ts'
import { actorOf, backupFile, nothingAsked, receiptContext } from './receipt-context.ts'
import { refuseSameFile } from './refuse-same-file.ts'
import { type OperationRun, runOperation, type Unsent } from './run-operation.ts'
import { savePlan } from './save-plan.ts'
import { chooseTargets, type Selection } from './targets/choose-targets.ts'
import { guardCount } from './targets/guard-count.ts'
import { recordedOptions, type TargetOptions } from './targets/target-options.ts'

export interface Changing {
  readonly ids: readonly string[]
  readonly options: TargetOptions
  /** A job keeps the names of these options. */
  readonly given?: Readonly<Record<string, unknown>>
  /** Prints the server's own body; for one id only. */
  readonly format?: 'csv' | 'json' | undefined
}

/** Throws a `Failure` where the run cannot begin; a later failure comes with the result. */
export async function changeTargets(context: Context, request: OperationRequest, changing: Changing): Promise<Result> {
  const { values } = context
  const { ids: typed, options, given = {}, format } = changing
  refuseUnusable(context, request, changing)
  const selection = await chooseTargets(context, rowOf(request).collection, typed, options)
  if (format !== undefined && selection.single === undefined) {
    throw new UsageError('--server-format goes with one id only: it prints one answer', { hint: 'Leave it out' })
  }
  refuseUnlimitedConsent(context, request, selection, options)
  const concurrency = values.dryRun ? 1 : (options.concurrency ?? 8)
  const connection = await context.connect(selection.single === undefined ? { connections: concurrency } : undefined)
  const { plan } = options
  // The receipt is demanded when the plan runs.
  const promised = { ...options, receipt: options.receipt ?? plan }
  refuseForbidden(context, connection, request, selection, promised)
  if (plan === undefined) refuseUnasked(context, connection, request, selection)

  const template = await operationIn(connection, request)
  const ids = selection.ids ?? (await selection.find(connection, concurrency))
  if (isDelete(template)) refuseBeyondLimits(context, { ...promised, count: ids.length })
  guardCount(ids.length, options, selection.limit)
  if (ids.length === 0 && plan === undefined) {
    return nothingToDo(context, connection, template, receiptFile(context, options), askedIn(selection, options))
  }
  const operation = selection.bodies ? withBodies(template, ids, selection.bodies) : template
  await announce(context, connection, operation, selection, ids, plan !== undefined)
  if (plan !== undefined)
    return savePlan(context, connection, operation, ids, askedIn(selection, options), { ...options, plan })

  const state = new JobState(ids.length)
  const run: OperationRun = {
    connection,
    operation,
    targets: ids,
    journal: memoryJournal(state),
    concurrency,
    format,
    isSingle: selection.single !== undefined || selection.isOne === true,
  }
  if (values.dryRun) return runOperation(context, run)
  const { maxFailures, maxDuration, canary, backup } = options
  const full = {
    ...run,
    maxFailures,
    maxDuration,
    canary,
    backup,
    receipt: receiptFile(context, options),
    asked: askedIn(selection, options),
  }
  if (ids.length === 1) return runOperation(context, full)
  return runOperation(context, keep(context, full, ids, { ...given, ...options }))
}

/** Throws `UsageError` for options that cannot go together and files that cannot be written. Sends nothing. */
function refuseUnusable(context: Context, request: OperationRequest, { options, given, format }: Changing): void {
  const { all, expect, from, distinctIdsFrom, emailsFrom, rows, types, backup, receipt, plan, maxDuration } = options
  checkServerFormat(context, { serverFormat: format })
  if (all && isDelete(request) && expect === undefined) {
    throw new UsageError('Deleting with --all needs the number of targets', { hint: 'Give --expect N' })
  }
  if (given?.body === '-' && [from, distinctIdsFrom, emailsFrom, rows].includes('-')) {
    throw new UsageError('stdin cannot carry both the body and the ids', { hint: 'Put one of them in a file' })
  }
  if (types !== undefined && rows === undefined) {
    throw new UsageError('--types goes with --rows only', { hint: 'Leave it out' })
  }
  refuseSameFile(context, options)
  const atTheRun = { '--receipt': receipt, '--backup': backup, '--max-duration': maxDuration }
  const [early] = Object.entries(atTheRun).find(([, value]) => value !== undefined) ?? []
  if (plan !== undefined && early !== undefined) {
    throw new UsageError(`${early} does not go with --plan`, { hint: 'Give it to analytics jobs run' })
  }
  if (plan !== undefined && context.values.dryRun) {
    throw new UsageError('--plan changes nothing, so it does not go with --dry-run', { hint: 'Leave one of them out' })
  }
  if (context.values.dryRun) return
  const { cwd } = context.host
  if (receipt !== undefined) checkWritable(resolve(cwd, receipt), '--receipt')
  if (backup !== undefined) checkBackup(resolve(cwd, backup))
  if (plan !== undefined) checkWritable(resolve(cwd, plan), '--plan')
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
export function nothingToDo(
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

export async function announce(
  context: Context,
  connection: Connection,
  operation: Operation,
  selection: Selection,
  ids: Targets,
  planning = false,
): Promise<void> {
  const { values, messages } = context
  const asking = !planning && asks(context) && asksAbout(context, operation, selection)
  const { single } = selection
  const what = single === undefined ? counted(ids.length, operation) : named(operation, single)
  if (!asking && !values.dryRun && !planning) {
    if (single === undefined) messages.notice(describeOperation(context, connection, operation, what))
    return
  }
  const project = await projectName(connection, operation)
  const doing = describeOperation(context, connection, operation, what, { project })
  // Whoever answers must see the targets, even with --quiet; the question itself names a single target.
  if (!asking) messages.notice(doing)
  else if (ids.length > 1) messages.say(doing)
  await preview(context, connection, operation, ids)
  if (asking) await ask(context, connection, operation, ids, doing)
}

/** A run of several targets is a job, on disk before the first target is changed. */
export function keep(
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
    receipt: { asked, actor: actorOf(host), backup },
    plan,
  }
  const unsent: Unsent = { operation, receipt, backup: backup?.path }
  const job = createJob(jobs, header, ids, unsent, host)
  return { ...run, targets: job.job.targets, journal: job.journal, job, isNew: true }
}
