/** Every change of objects, told from the first check to the receipt. One target is a run of one. */
import { resolve } from 'node:path'
import type { Connection, Context, Result } from '../context.ts'
import { refuseTooLate, timeLeft } from '../jobs/time-left.ts'
import { forRun } from './for-run.ts'
import { refuseUnasked, refuseUnlimitedConsent } from './guards/consent.ts'
import { refuseBeyondLimits } from './guards/refuse-beyond-limits.ts'
import { refuseCount } from './guards/refuse-count.ts'
import { refuseForbidden } from './guards/refuse-forbidden.ts'
import { refuseSecrets } from './guards/refuse-secrets.ts'
import { refuseUnheldNames } from './guards/refuse-unheld-names.ts'
import { refuseCurrent, refuseFuture, refuseUnusable } from './guards/refuse-unusable.ts'
import { keepRun, type ResolvedRun, reportNothing } from './keep-run.ts'
import { isDelete, rowOf, withBodies } from './operation.ts'
import { savePlan } from './plans/save-plan.ts'
import { previewAndAsk } from './preview-and-ask.ts'
import { createReads, recent } from './run/reads.ts'
import { runOperation } from './run/run-operation.ts'
import type { RunRequest } from './run-request.ts'
import { fixScope, fixTarget, operationIn, requireScope } from './scope.ts'
import { chooseTargets } from './targets/choose-targets.ts'
import { knownIds, type Selection } from './targets/selection.ts'
import { warnOfReceipt } from './warn-of-receipt.ts'

/** Throws if the run cannot start; later failures come with the result. */
export async function startRun(context: Context, request: RunRequest): Promise<Result> {
  refuseUnusable(context, request)
  const chosen = await chooseTargets(context, rowOf(request.operation).collection, request.targets)
  const connection = await openPlace(context, request, chosen)
  const run = await resolveTargets(context, request, connection, chosen)
  const { operation, ids } = run
  if (isDelete(operation)) refuseBeyondLimits(context, ids.length, givenForDeletion(request))
  refuseCount(ids.length, request.guards, run.limit)
  warnOfReceipt(context, run.receipt)
  const { purpose } = request
  if (ids.length === 0 && purpose.kind !== 'plan') return reportNothing(context, run)
  await refuseUnheldNames(context, connection, run)
  await previewAndAsk(context, { ...run, planning: purpose.kind === 'plan' })
  if (purpose.kind === 'plan') return savePlan(context, run, { ...request.guards, file: purpose.file })
  return runOperation(context, keepRun(context, request, run))
}

/** All that can be said before the first request, and then the ids in place of `@current`. */
async function openPlace(context: Context, request: RunRequest, chosen: Selection): Promise<Connection> {
  const { operation, targets, records, purpose } = request
  const ids = knownIds(chosen)
  if (rowOf(operation).collection === 'projects' && ids) refuseCurrent(ids)
  refuseUnlimitedConsent(context, request, chosen)
  const first = await context.connect()
  if (context.values.sandbox) refuseFuture(records.details, first.now())
  const connection = chosen.isOne ? first : forRun(first, concurrencyOf(context, request))
  requireScope(connection, operation)
  await refuseSecrets(context, connection, records.details)
  refuseForbidden(context, connection, operation, ids, { ...request.guards, ...givenForDeletion(request) })
  const there = targets.kind === 'fixed' ? await targets.place(connection) : connection
  if (purpose.kind !== 'plan') refuseUnasked(context, there, request, chosen)
  return fixScope(there, operation)
}

function concurrencyOf({ values }: Context, { pace }: RunRequest): number {
  return values.dryRun ? 1 : (pace.concurrency ?? 8)
}

function givenForDeletion({ purpose, records }: RunRequest) {
  return {
    reason: records.details.reason ?? undefined,
    hasReceipt: records.receipt !== undefined || purpose.kind === 'plan',
    isPlanned: purpose.kind !== 'run',
  }
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
  const { targets, bodies } = selection
  const sinceNow = timeLeft(host.clock, recent)
  const limited = left && connection.client.within({ left, check: () => refuseTooLate(left) })
  const reading = limited ? { ...connection, client: limited } : connection
  let areRead = false
  const reads = createReads(host.clock, () => (areRead ? sinceNow() : 0))
  const found = typeof targets === 'function' ? await targets(reading, concurrency, reads.note) : targets
  const { ids, input = null } = found
  areRead = found.areRead ?? false
  return {
    ...selection,
    connection,
    ids,
    operation: bodies ? withBodies(template, ids, bodies) : template,
    asked: { ...records.details, input: purpose.kind === 'planned' ? purpose.input : input },
    reads,
    receipt: records.receipt === undefined ? undefined : resolve(host.cwd, records.receipt),
    concurrency,
    maxDuration: left?.(),
  }
}
