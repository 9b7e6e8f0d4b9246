/** What every command that changes objects does: choose targets, check, show, ask, run. One target is a run of one. */
import type { Connection, Context, Result } from '../cli/command.ts'
import { asks } from '../cli/confirm.ts'
import { RefusedError, UsageError } from '../errors.ts'
import { asksAbout, refuseForbidden, refuseUnasked, refuseUnlimitedConsent } from './guards/consent.ts'
import { refuseBeyondLimits } from './guards/limits.ts'
import { refuseSecrets } from './guards/refuse-secrets.ts'
import { refuseCurrent, refuseUnusable } from './guards/refuse-unusable.ts'
import { isDelete, needsRecord, type OperationRequest, rowOf } from './operation.ts'
import { prepareRun, type RunOptions } from './prepare-run.ts'
import { fixScope, fixTarget, operationIn, requireScope } from './scope.ts'
import { chooseTargets, type Selection } from './targets/choose-targets.ts'
import type { TargetOptions } from './targets/target-options.ts'

interface ChangeOptions extends RunOptions {
  readonly ids: readonly string[]
  /** Targets that are known already. */
  readonly selection?: Selection
  /** Throws where the connection leads elsewhere than is meant; else returns it with ids for `@current`. */
  readonly refuseElsewhere?: (connection: Connection) => Promise<Connection>
}

/** Throws a `Failure` where the run cannot begin; a later failure comes with the result. */
export async function changeTargets(
  context: Context,
  request: OperationRequest,
  change: ChangeOptions,
): Promise<Result> {
  const { values } = context
  const { options, serverFormat } = change
  refuseUnusable(context, request, change)
  const { collection } = rowOf(request)
  const chosen = change.selection ?? (await chooseTargets(context, collection, change.ids, options))
  if (collection === 'projects' && chosen.ids) refuseCurrent(chosen.ids)
  if (serverFormat !== undefined && chosen.single === undefined) {
    throw new UsageError('--server-format goes with one id only: it prints one answer', { hint: 'Leave it out' })
  }
  refuseUnlimitedConsent(context, request, chosen, options)
  const concurrency = values.dryRun ? 1 : (options.concurrency ?? 8)
  const connected = await context.connect(chosen.single === undefined ? { connections: concurrency } : undefined)
  requireScope(connected, request)
  await refuseSecrets(context, connected, { ...options, ...change.planned?.asked })
  const { plan } = options
  const isPlanned = plan !== undefined || change.planned !== undefined
  const given = { ...options, hasReceipt: options.receipt !== undefined || plan !== undefined, isPlanned }
  refuseForbidden(context, connected, request, chosen, given)
  const opened = (await change.refuseElsewhere?.(connected)) ?? connected
  if (plan === undefined) refuseUnasked(context, opened, request, chosen)
  const isFixed = isReadBefore(context, request, chosen, options)
  const connection = isFixed || chosen.single === undefined ? await fixScope(opened, request) : opened
  const selection = isFixed ? await fixTarget(connection, chosen) : chosen

  const operation = await operationIn(connection, request)
  try {
    const ids = selection.ids ?? (await selection.find(connection, concurrency))
    if (isDelete(operation)) refuseBeyondLimits(context, ids.length, given)
    const run = await prepareRun(context, { connection, operation, selection, ids }, { ...change, concurrency })
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
  { receipt, backup, plan }: TargetOptions,
): boolean {
  if ([receipt, backup, plan].some(file => file !== undefined) || needsRecord(request)) return true
  return asks(context) && asksAbout(context, request, selection)
}
