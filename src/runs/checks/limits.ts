/** What a profile requires of commands, and how many objects it lets one delete (`docs/security.md`). */
import { refuseUnanswerable } from '../../consent.ts'
import type { Connection, Context } from '../../context.ts'
import { RefusedError } from '../../errors.ts'
import { refuseUnsafe } from '../../http/guard.ts'
import type { Effect } from '../../http/message.ts'
import { isDelete, type OperationRequest, operationAt, rowOf, writesOf } from '../../operations/operation.ts'
import { countOf, grouped } from '../../text/grouped.ts'
import type { Guards } from '../request.ts'

/** `count`: undefined if not known yet, infinite if it will not be known. Throws `RefusedError`. */
export function refuseBeyondLimits({ config }: Pick<Context, 'config'>, count: number | undefined): void {
  const { maxDeletes, dryRun } = config.values
  if (maxDeletes === undefined || dryRun || (count ?? 1) <= maxDeletes) return
  const whose = named(config)
  const wanted = count !== undefined && Number.isFinite(count) ? grouped(count) : 'an unknown number'
  throw new RefusedError(
    maxDeletes === 0
      ? `${whose} allows no deletions`
      : `${whose} lets one command delete at most ${countOf(maxDeletes, 'object', 'objects')}, not ${wanted}`,
    { hint: 'Nothing was changed. The limit is --max-deletes of the profile' },
  )
}

function named({ profile }: Context['config']): string {
  return `The profile ${profile?.name ?? ''}`.trim()
}

interface Forbidding {
  readonly operation: OperationRequest
  /** Undefined if not known yet. */
  readonly count: number | undefined
}

/** Throws `RefusedError` if the safety level or the limits forbid it. Sends no request. */
export function refuseForbidden(context: Context, connection: Connection, { operation, count }: Forbidding): void {
  if (context.values.dryRun) return
  for (const { method, destroys } of sampleWrites(connection, operation)) {
    refuseUnsafe({ method, destroys }, context.config.safety)
  }
  if (isDelete(operation)) refuseBeyondLimits(context, count)
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
  /** How many objects it deletes at most, infinite if that is not known. */
  readonly deletes?: number
}

/** For writes that are not in the table of operations: the safety level, the limits, and that somebody can agree. */
export function refuseWrite(context: Context, write: Write, { doing, isAsked, deletes = 0 }: WriteDemands): void {
  if (write.effect === 'read' || context.values.dryRun) return
  refuseUnsafe(write, context.config.safety)
  if (deletes > 0) refuseBeyondLimits(context, deletes)
  refuseUnanswerable(context, { doing, isAsked })
}

/** Safety levels check these requests before targets are known. */
function sampleWrites({ client }: Connection, request: OperationRequest) {
  const { scope } = rowOf(request)
  const path: Readonly<Record<string, string>> = scope === undefined ? {} : { [scope]: '@current' }
  const writes = writesOf(client, operationAt(request, path), '1')
  return writes.length > 0 ? writes : [client.request(rowOf(request).endpoint, { path: { ...path, id: '1' } })]
}

export function refuseCount(
  count: number,
  { expect, max }: Pick<Guards, 'expect' | 'max'>,
  limit = Number.POSITIVE_INFINITY,
): void {
  const found = `Found ${countOf(count, 'target', 'targets')}`
  const hint = 'Nothing was changed. Check the targets'
  if (expect !== undefined && count !== expect) {
    throw new RefusedError(`${found}, expected ${grouped(expect)}`, {
      hint: `${hint}; if they are right, correct --expect`,
    })
  }
  if (max !== undefined && count > max) {
    throw new RefusedError(`${found}, at most ${grouped(max)} allowed`, {
      hint: `${hint}; if they are right, raise --max`,
    })
  }
  if (count > limit) throw new RefusedError(`${found}, expected at most ${grouped(limit)}`, { hint })
}
