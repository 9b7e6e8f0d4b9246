/** What can be said of consent before any request. */
import { refuseUnanswerable } from '../../consent.ts'
import type { Connection, Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { counted, type OperationRequest, rowOf, targetName } from '../operation.ts'
import type { Guards, RunRequest } from '../run-request.ts'
import { describeOperation } from '../scope.ts'
import { knownIds, namesOne, readsStdin, type Selection } from '../targets/source.ts'

/** Throws `UsageError` if `--yes` would confirm an unlimited number of targets. */
export function refuseUnlimitedConsent(
  { values }: Context,
  { operation, guards, purpose }: RunRequest,
  selection: Selection,
): void {
  if (!values.yes || values.dryRun || purpose.kind === 'plan' || !isUnlimited(operation, selection, guards)) return
  throw new UsageError('--yes does not agree to an unknown number of targets', {
    hint: 'Give --max N or --expect N with it; --dry-run shows how many there are',
  })
}

function isUnlimited(request: OperationRequest, { limit }: Selection, { max, expect }: Guards): boolean {
  return rowOf(request).asks !== undefined && [limit, max, expect].every(number => number === undefined)
}

/** Throws `RefusedError` if a question is needed that nobody can answer. Sends no request. */
export function refuseUnasked(context: Context, connection: Connection, run: RunRequest, selection: Selection): void {
  const { operation: request, targets: source, guards } = run
  const ids = knownIds(selection)
  if (ids?.length === 0) return
  const id = namesOne(source) ? ids?.at(0) : undefined
  const many = ids ? counted(ids.length, request) : rowOf(request).noun[1]
  const what = id === undefined ? many : targetName(request, id)
  refuseUnanswerable(context, {
    doing: describeOperation(context, connection, request, what),
    isAsked: isAskedAbout(run),
    readsStdin: readsStdin(source),
    ...(isUnlimited(request, selection, guards) && {
      hint: 'Pass --yes with --max N or --expect N to go ahead; --dry-run shows how many there are',
    }),
  })
}

/** A single named target needs a question only if the operation is destructive. */
export function isAskedAbout({ operation, targets }: RunRequest): boolean {
  return !namesOne(targets) || rowOf(operation).asks !== undefined
}
