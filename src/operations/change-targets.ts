/** All commands that change objects: choose targets, check, preview, ask and run. One target is a run of one. */
import type { GivenOptions } from '../cli/bulk-options.ts'
import type { Connection, Context, Result } from '../context.ts'
import { refuseTooLate, type TimeLeft, timeLeft } from '../jobs/time-left.ts'
import { forRun } from './for-run.ts'
import { refuseUnasked, refuseUnlimitedConsent } from './guards/consent.ts'
import { refuseBeyondLimits } from './guards/refuse-beyond-limits.ts'
import { refuseForbidden } from './guards/refuse-forbidden.ts'
import { refuseSecrets } from './guards/refuse-secrets.ts'
import { refuseCurrent, refuseFuture, refuseUnusable } from './guards/refuse-unusable.ts'
import { isDelete, type OperationRequest, rowOf } from './operation.ts'
import { prepareRun, type RunOptions } from './prepare-run.ts'
import { createReads, recent } from './run/reads.ts'
import { fixScope, fixTarget, operationIn, requireScope } from './scope.ts'
import { chooseTargets } from './targets/choose-targets.ts'
import { knownIds, type Selection, selectKnown } from './targets/selection.ts'

interface KnownChange extends RunOptions {
  /** Treated as a list, even if there is only one. */
  readonly ids: readonly string[]
  /** Throws if the connection goes to another place; otherwise returns it with ids instead of `@current`. */
  readonly refuseElsewhere: (connection: Connection) => Promise<Connection>
}

/** A single typed id is not a list. Throws if the run cannot start; later failures come with the result. */
export async function changeTargets(
  context: Context,
  request: OperationRequest,
  ids: readonly string[],
  options: GivenOptions,
): Promise<Result> {
  refuseUnusable(context, request, options)
  const chosen = await chooseTargets(context, rowOf(request).collection, ids, options)
  return changeChosen(context, request, chosen, { options })
}

export async function changeKnown(
  context: Context,
  request: OperationRequest,
  { ids, ...change }: KnownChange,
): Promise<Result> {
  refuseUnusable(context, request, change.options)
  return changeChosen(context, request, selectKnown({ ids }), change)
}

async function changeChosen(
  context: Context,
  request: OperationRequest,
  chosen: Selection,
  change: RunOptions & Partial<Pick<KnownChange, 'refuseElsewhere'>>,
): Promise<Result> {
  const { values } = context
  const { options } = change
  const chosenIds = knownIds(chosen)
  if (rowOf(request).collection === 'projects' && chosenIds) refuseCurrent(chosenIds)
  refuseUnlimitedConsent(context, request, chosen, options)
  const concurrency = values.dryRun ? 1 : (options.concurrency ?? 8)
  const first = await context.connect()
  if (context.values.sandbox) refuseFuture(options, first.now())
  const connected = chosen.isOne ? first : forRun(first, concurrency)
  requireScope(connected, request)
  await refuseSecrets(context, connected, { ...options, ...change.planned?.asked })
  const { plan } = options
  const isPlanned = plan !== undefined || change.planned !== undefined
  const given = { ...options, hasReceipt: options.receipt !== undefined || plan !== undefined, isPlanned }
  refuseForbidden(context, connected, request, chosenIds, given)
  const opened = (await change.refuseElsewhere?.(connected)) ?? connected
  if (plan === undefined) refuseUnasked(context, opened, request, chosen, options)
  const connection = await fixScope(opened, request)
  const selection = await fixTarget(connection, chosen)

  const operation = await operationIn(connection, request)
  const { targets } = selection
  const { clock } = context.host
  const left = timeLeft(clock, options.maxDuration)
  const justRead = typeof targets === 'function' ? timeLeft(clock, recent) : undefined
  const found = typeof targets === 'function' ? await targets(within(connection, left), concurrency) : targets
  if (isDelete(operation)) refuseBeyondLimits(context, found.ids.length, given)
  const reads = createReads(clock, justRead)
  const limits = { concurrency, maxDuration: left?.() }
  const run = await prepareRun(context, { connection, operation, selection, found, reads }, { ...change, ...limits })
  return run()
}

function within(connection: Connection, left: TimeLeft | undefined): Connection {
  if (!left) return connection
  return { ...connection, client: connection.client.within({ left, check: () => refuseTooLate(left) }) }
}
