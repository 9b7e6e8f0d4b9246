/** The story of every change of objects: check, choose, resolve, confirm, execute, report. One target is a run of one. */
import type { Connection, Context, Result } from '../context.ts'
import { createJob, jobsFolder } from '../jobs/job.ts'
import { receiptOf, writeReceipt } from '../jobs/receipt.ts'
import { withLongWaits } from '../jobs/run-parallel.ts'
import { pathIn } from '../operations/collections.ts'
import { counted, type Operation, operationOf, targetName } from '../operations/operation.ts'
import { chooseTargets } from '../targets/choose-targets.ts'
import type { TargetSource, Targets } from '../targets/source.ts'
import { type PlannedWrite, passChecks, planWrites } from './checks.ts'
import { confirmRun } from './confirm.ts'
import { execute } from './execute.ts'
import { nothingToDo } from './report.ts'
import { type Run, type RunRequest, runOf } from './run.ts'
import { requireSameProject, resolveScope } from './scope.ts'
import { describePlan } from './wording.ts'

/** Throws if the run cannot start; later failures come with the result. */
export async function startRun(context: Context, request: RunRequest): Promise<Result> {
  const operation = operationOf(request.operation)
  const selection = await chooseTargets(context, operation.ids, request.targets)
  await passChecks(context, planRun(context, request, operation, selection), 'start')
  const connection = await connectionFor(context, request, operation)
  const targets = await selection.find(connection, request.concurrency)
  const plan = planRun(context, request, operation, { ...selection, count: targets.ids.length })
  await passChecks(context, plan, 'resolved')
  const scope = await pathIn(connection, operation.collection)
  const isOne = namesOne(request.targets)
  const run = runOf(context, { request, operation, connection, scope, targets, isOne })
  if (targets.ids.length === 0) return reportNothing(context, run, request)
  const confirm = () => confirmRun(context, run, needsConfirmation(request, operation))
  await passChecks(context, { ...plan, confirm }, 'confirm')
  return execute(context, keepRun(context, run, wereSeen(request.targets, targets)))
}

function planRun(
  context: Context,
  request: RunRequest,
  operation: Operation,
  { count, isBounded }: Readonly<{ count: number | undefined; isBounded: boolean }>,
): PlannedWrite {
  const { targets, guards, receipt, backup, reason, undoes } = request
  const { noun } = operation.collection
  const hasGuard = guards.max !== undefined || guards.expect !== undefined
  const isUnbounded = operation.asks !== undefined && !isBounded && !hasGuard
  const many = count === undefined ? noun[1] : counted(count, operation)
  const id = namesOne(targets) && 'ids' in targets ? targets.ids[0] : undefined
  const what = id === undefined ? many : targetName(operation, id)
  const isAsked = count !== 0 && needsConfirmation(request, operation)
  return {
    files: { receipt, backup: backup?.path, backupsRead: undoes?.backups ?? [] },
    reason,
    scope: operation.collection.scope,
    ...planWrites(operation.writes(), count),
    targets: { count, noun, isUnbounded, readsStdin: readsStdin(targets) },
    guards,
    proposal: connection => (isAsked ? describePlan(context, { connection, operation }, what) : undefined),
    confirm: async () => undefined,
  }
}

/** If true, the command prints the record of the object. */
function namesOne(source: TargetSource): boolean {
  if (source.kind === 'definitions') return new Set(source.names).size === 1
  return source.kind === 'typed' && source.ids.length === 1
}

/** If true, stdin cannot answer a prompt. */
function readsStdin(source: TargetSource): boolean {
  return 'list' in source && 'file' in source.list && source.list.file === '-'
}

/** A single named target needs a prompt only if the operation is destructive. */
function needsConfirmation({ targets }: RunRequest, { asks }: Operation): boolean {
  return !namesOne(targets) || asks !== undefined
}

async function connectionFor(context: Context, request: RunRequest, { collection }: Operation): Promise<Connection> {
  const { targets, undoes } = request
  const opened = await context.connect()
  const connection = namesOne(targets) ? opened : withLongWaits(opened)
  return undoes
    ? requireSameProject(connection, undoes.header, collection, 'The job')
    : resolveScope(connection, collection)
}

/** An empty list means no targets, never all. */
function reportNothing(context: Context, { header, operation, values, journal }: Run, { targets }: RunRequest): Result {
  if (values.receipt !== undefined) writeReceipt(values.receipt, receiptOf(header, journal, []))
  const [noun] = operation.collection.noun
  return nothingToDo(context, targets.kind === 'rows' ? 'no row has a value to set' : `no ${noun} matches`)
}

/** A lookup or a filter has just shown the targets, so a later 404 does not mean the wrong project. */
function wereSeen({ kind }: RunRequest['targets'], { matchedBy }: Targets): boolean {
  return kind === 'filter' || kind === 'definitions' || matchedBy !== undefined
}

function keepRun(context: Context, run: Run, isSeen: boolean): Run {
  if (context.values.dryRun) return run
  const { header, targets, values, backup, concurrency, maxFailures } = run
  const facts = { header, targets, values, backups: backup ? [backup.path] : [], concurrency, maxFailures }
  const held = createJob(jobsFolder(context.stateFolder()), facts, context.host)
  if (isSeen) held.journal.noteSeen()
  return { ...run, ...held, header: held.job.header }
}
