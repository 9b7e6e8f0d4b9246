/** The steps of every change of objects, from the first check to the receipt. One target is a run of one. */
import { resolve } from 'node:path'
import type { Connection, Context } from '../context.ts'
import { refuseTooLate, timeLeft } from '../jobs/time-left.ts'
import type { Result } from '../result.ts'
import { agree } from './agree.ts'
import { forRun } from './for-run.ts'
import { checkAt } from './guards/checks.ts'
import { isAskedAbout } from './guards/refuse-unasked.ts'
import { keepRun, type ResolvedRun, reportNothing } from './keep-run.ts'
import { targetIdsOf, withBodies } from './operation.ts'
import { savePlan } from './plans/save-plan.ts'
import { createReads, recent } from './run/reads.ts'
import { runOperation } from './run/run-operation.ts'
import type { RunRequest } from './run-request.ts'
import { fixScope, fixTarget, operationIn } from './scope.ts'
import { seeRecords } from './seen-records.ts'
import { chooseTargets } from './targets/choose-targets.ts'
import type { OnRead, Selection } from './targets/selection.ts'
import { warnOfReceipt } from './warn-of-receipt.ts'

/** Throws if the run cannot start; later failures come with the result. */
export async function startRun(context: Context, request: RunRequest): Promise<Result> {
  await checkAt('typed', { context, request })
  const chosen = await chooseTargets(context, targetIdsOf(request.operation), request.targets)
  const connection = await openPlace(context, request, chosen)
  const run = await resolveTargets(context, request, connection, chosen)
  await checkAt('resolved', { context, request, run })
  warnOfReceipt(context, run.receipt)
  const { purpose } = request
  if (run.ids.length === 0 && purpose.kind !== 'plan') return reportNothing(context, run)
  const { backup, backupOption } = request.records
  const hasBackup = backup !== undefined
  const isAsked = isAskedAbout(run.operation, run)
  const isNeeded = await agree(context, { ...run, isAsked, hasBackup, backupOption, purpose: purpose.kind })
  if (!isNeeded) return reportNothing(context, run)
  if (purpose.kind === 'plan') return savePlan(context, run, request.guards, purpose)
  return runOperation(context, keepRun(context, request, run))
}

/** Makes every check that needs no request; then ids replace `@current`. */
async function openPlace(context: Context, request: RunRequest, selection: Selection): Promise<Connection> {
  const { operation, targets } = request
  await checkAt('chosen', { context, request, selection })
  const first = await context.connect()
  const connection = selection.isOne ? first : forRun(first, concurrencyOf(context, request))
  await checkAt('connected', { context, request, selection, connection })
  const there = targets.kind === 'fixed' ? await targets.place(connection) : connection
  await checkAt('placed', { context, request, selection, connection: there })
  return fixScope(there, operation)
}

function concurrencyOf({ values }: Context, { pace }: RunRequest): number {
  return values.dryRun ? 1 : (pace.concurrency ?? 8)
}

/** Finds the whole set of targets, and fixes it. */
async function resolveTargets(
  context: Context,
  request: RunRequest,
  connection: Connection,
  chosen: Selection,
): Promise<ResolvedRun> {
  const { host } = context
  const { purpose, records, pace } = request
  const selection = await fixTarget(connection, chosen)
  const template = await operationIn(connection, request.operation)
  const concurrency = concurrencyOf(context, request)
  const left = timeLeft(host.clock, pace.maxDuration)
  const { targets } = selection
  const sinceNow = timeLeft(host.clock, recent)
  const limited = left && connection.client.within({ left, check: () => refuseTooLate(left) })
  const reading = limited ? { ...connection, client: limited } : connection
  const reads = createReads(host.clock)
  const seen = seeRecords(template)
  const onRead: OnRead = (id, record) => {
    // All records of a selection are noted at once below; those of rows come without their record.
    if (!record) reads.note(id)
    else seen.see(record, { id, now: host.clock.now() })
  }
  const found = typeof targets === 'function' ? await targets(reading, concurrency, onRead) : targets
  const { ids, input = null, bodies } = found
  if (found.areRead) reads.noteAll(sinceNow)
  const operation = bodies ? withBodies(template, ids, bodies) : template
  return {
    ...selection,
    connection,
    ids,
    operation,
    asked: { ...records.details, input: purpose.kind === 'planned' ? purpose.input : input },
    reads,
    seen: bodies ? seeRecords(operation) : seen,
    receipt: records.receipt === undefined ? undefined : resolve(host.cwd, records.receipt),
    concurrency,
    maxDuration: left?.(),
  }
}
