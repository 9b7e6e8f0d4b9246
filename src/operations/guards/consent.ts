/** Whether a person must agree, and the question before the first write. */
import { asks, confirm, confirmsEachWrite, passYes, refuseUnanswerable } from '../../confirm.ts'
import type { Connection, Context } from '../../context.ts'
import { RefusedError, UsageError } from '../../errors.ts'
import type { Targets } from '../../jobs/targets/target-list.ts'
import type { Item } from '../../json/item.ts'
import { stringIn, valueAt } from '../../json/pick.ts'
import { grouped } from '../../text/grouped.ts'
import { counted, type Operation, type OperationRequest, readTarget, rowOf, targetName } from '../operation.ts'
import { mostShown } from '../preview.ts'
import type { Guards, RunRequest } from '../run-request.ts'
import { describeOperation } from '../scope.ts'
import { knownIds, namedId, type Selection } from '../targets/selection.ts'

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
export function refuseUnasked(
  context: Context,
  connection: Connection,
  { operation: request, guards }: RunRequest,
  selection: Selection,
): void {
  const ids = knownIds(selection)
  const id = namedId(selection)
  const many = ids ? counted(ids.length, request) : rowOf(request).noun[1]
  const what = id === undefined ? many : targetName(request, id)
  const doing = describeOperation(context, connection, request, what)
  if (ids?.length === 0) return
  if (!asksAbout(context, request, selection)) return
  const hint = isUnlimited(request, selection, guards)
    ? 'Pass --yes with --max N or --expect N to go ahead; --dry-run shows how many there are'
    : passYes
  refuseUnanswerable(context, doing, hint)
  if (!selection.fromStdin || !asks(context)) return
  throw new RefusedError(`${doing} needs confirmation, and the targets come on stdin`, { hint })
}

/** A single named target needs a question only if the operation is destructive or every write is confirmed. */
export function asksAbout(
  { settings }: Context,
  request: OperationRequest,
  { isOne }: Pick<Selection, 'isOne'>,
): boolean {
  return !isOne || rowOf(request).asks !== undefined || confirmsEachWrite(settings)
}

/** `doing` describes one target. Throws `RefusedError` unless the answer agrees. */
export async function ask(
  context: Context,
  connection: Connection,
  operation: Operation,
  ids: Targets,
  doing: string,
): Promise<void> {
  const [id = ''] = ids
  const count = String(ids.length)
  if (ids.length > 1) {
    const more = ids.length - mostShown
    const all =
      more > 0 ? `And ${grouped(more)} more, ${grouped(ids.length)} in all` : `These are all ${grouped(ids.length)}`
    return confirm(context, { doing: all, answer: { text: count, what: count } })
  }
  const isNamed = rowOf(operation).asks === 'name'
  const answer = isNamed ? nameToType(await readTarget(connection.client, operation, id), id) : 'yes'
  await confirm(context, { doing, answer })
}

export function nameToType(record: Item, id: string) {
  const text = stringIn(valueAt(record, 'name'))?.trim()
  return text ? { text, what: 'its name' } : { text: id, what: 'its id' }
}
