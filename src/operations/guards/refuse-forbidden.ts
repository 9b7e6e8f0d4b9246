/** What the safety level, the limits and the guards forbid, before any request. */
import { refuseUnanswerable } from '../../consent.ts'
import type { Connection, Context } from '../../context.ts'
import { refuseUnsafe } from '../../http/guard.ts'
import type { Effect } from '../../http/message.ts'
import type { Targets } from '../../jobs/targets/target-list.ts'
import { isDelete, type OperationRequest, operationAt, rowOf, writesOf } from '../operation.ts'
import type { Guards } from '../run-request.ts'
import { type GivenForDeletion, refuseBeyondLimits } from './refuse-beyond-limits.ts'
import { refuseCount } from './refuse-count.ts'

interface Forbidding {
  readonly operation: OperationRequest
  readonly given: GivenForDeletion
  readonly guards?: Guards
}

/** Throws `RefusedError` if the safety level, the limits or the guards forbid it. Sends no request. */
export function refuseForbidden(
  context: Context,
  connection: Connection,
  { operation, given, guards = {} }: Forbidding,
  ids: Targets | undefined,
): void {
  for (const { method, destroys } of sampleWrites(connection, operation)) {
    refuseUnsafe({ method, destroys }, context.settings.safety)
  }
  if (isDelete(operation)) refuseBeyondLimits(context, ids?.length, given)
  if (ids) refuseCount(ids.length, guards)
}

interface Write {
  readonly method: string
  readonly effect: Effect
  readonly destroys: boolean
}

interface WriteDemands {
  readonly doing: string
  /** It is asked about under every safety level. */
  readonly isAsked: boolean
  /** How many objects it deletes; infinite if that is not known. */
  readonly deletes?: number | undefined
  /** The number can be given with `--max`. */
  readonly mayCount?: boolean
}

/** For writes that are not in the table of operations: the safety level, the limits, and that somebody can agree. */
export function refuseWrite(
  context: Context,
  write: Write,
  { doing, isAsked, deletes, mayCount = false }: WriteDemands,
): void {
  if (write.effect === 'read') return
  refuseUnsafe(write, context.settings.safety)
  if (deletes !== undefined) refuseBeyondLimits(context, deletes, mayCount ? 'countable' : 'never')
  refuseUnanswerable(context, { doing, isAsked })
}

/** Safety levels check these requests before targets are known. */
function sampleWrites({ client }: Connection, request: OperationRequest) {
  const { scope } = rowOf(request)
  const path: Readonly<Record<string, string>> = scope === undefined ? {} : { [scope]: '@current' }
  const writes = writesOf(client, operationAt(request, path), '1')
  return writes.length > 0 ? writes : [client.request(rowOf(request).endpoint, { path: { ...path, id: '1' } })]
}
