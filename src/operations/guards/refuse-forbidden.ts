/** What the safety level, the limits and the guards forbid, before any request. */
import type { BulkOptions } from '../../cli/bulk-options.ts'
import type { Connection, Context } from '../../cli/command.ts'
import { confirmsEachWrite, refuseUnanswerable } from '../../cli/confirm.ts'
import { refuseUnsafe } from '../../http/guard.ts'
import type { Effect } from '../../http/message.ts'
import type { Targets } from '../../jobs/targets/target-list.ts'
import { isDelete, type OperationRequest, operationAt, rowOf, writesOf } from '../operation.ts'
import { type GivenForDeletion, refuseBeyondLimits } from './refuse-beyond-limits.ts'
import { refuseCount } from './refuse-count.ts'

type CountGuards = Pick<BulkOptions, 'max' | 'expect'>

/** Throws `RefusedError` if the safety level, the limits or the guards forbid it. Sends no request. */
export function refuseForbidden(
  context: Context,
  connection: Connection,
  request: OperationRequest,
  ids: Targets | undefined,
  given: GivenForDeletion & CountGuards,
): void {
  for (const { method, destroys } of sampleWrites(connection, request)) {
    refuseUnsafe({ method, destroys }, context.settings.safety)
  }
  if (isDelete(request)) refuseBeyondLimits(context, ids?.length, given)
  if (ids) refuseCount(ids.length, given)
}

interface Write {
  readonly method: string
  readonly effect: Effect
  readonly destroys: boolean
}

interface WriteDemands {
  readonly doing: string
  /** It is asked about under every safety level. */
  readonly asking: boolean
  readonly deletion?: (GivenForDeletion & { readonly count: number }) | undefined
}

/** Both checks, for writes that are not in the table of operations. */
export function refuseWrite(context: Context, write: Write, { doing, asking, deletion }: WriteDemands): void {
  if (write.effect === 'read') return
  refuseUnsafe(write, context.settings.safety)
  if (deletion) refuseBeyondLimits(context, deletion.count, deletion)
  if (asking || confirmsEachWrite(context.settings)) refuseUnanswerable(context, doing)
}

/** Safety levels check these requests before targets are known. */
function sampleWrites({ client }: Connection, request: OperationRequest) {
  const { scope } = rowOf(request)
  const path: Readonly<Record<string, string>> = scope === undefined ? {} : { [scope]: '@current' }
  const writes = writesOf(client, operationAt(request, path), '1')
  return writes.length > 0 ? writes : [client.request(rowOf(request).endpoint, { path: { ...path, id: '1' } })]
}
