/** What a profile requires of commands, and how many objects it lets one delete (`docs/security.md`). */
import { refuseUnanswerable } from '../../consent.ts'
import type { Connection, Context } from '../../context.ts'
import { RefusedError } from '../../errors.ts'
import { refuseUnsafe } from '../../http/guard.ts'
import type { Effect } from '../../http/message.ts'
import { isDelete, type OperationRequest, operationAt, rowOf, writesOf } from '../../operations/operation.ts'
import { countOf, grouped } from '../../text/grouped.ts'
import type { BackupOption, Guards, RunRequest } from '../request.ts'

interface GivenForDeletion {
  readonly reason: string | null
  /** Also true when a plan is written: its run needs the receipt. */
  readonly hasReceipt: boolean
  readonly isPlanned: boolean
}

export function givenForDeletion({ records }: Pick<RunRequest, 'records'>): GivenForDeletion {
  return {
    reason: records.reason,
    hasReceipt: records.receipt !== undefined,
    isPlanned: false,
  }
}

const demands = {
  reason: 'Give --reason TEXT to the delete command; a job or a plan that has none must be made again',
  receipt: 'Give --receipt FILE',
  plan: 'Give --plan FILE to a delete command to write one, and run it with analytics jobs run FILE',
  backup: 'Give --backup FILE',
} as const

const hintOfApi = 'Use a delete command: analytics api makes no receipt and no job'

/** `count`: undefined if not known yet, infinite if it will not be known. Throws `RefusedError`. */
export function refuseBeyondLimits(
  { config }: Pick<Context, 'config'>,
  count: number | undefined,
  given: GivenForDeletion | 'api',
): void {
  const { limits } = config
  const whose = named(config)
  // Every other command that deletes and takes --backup is checked by `refuseWithoutBackup`.
  const met: Partial<Record<keyof typeof demands, boolean>> =
    given === 'api'
      ? {}
      : { reason: Boolean(given.reason?.trim()), receipt: given.hasReceipt, plan: given.isPlanned, backup: true }
  const missing = limits.require.find(name => !met[name])
  if (missing) {
    const hint = given === 'api' ? hintOfApi : demands[missing]
    throw new RefusedError(`${whose} requires a ${missing} for every deletion`, { hint })
  }
  const { maxDeletes } = limits
  if (maxDeletes === undefined || (count ?? 1) <= maxDeletes) return
  const wanted = count !== undefined && Number.isFinite(count) ? grouped(count) : 'an unknown number'
  throw new RefusedError(
    maxDeletes === 0
      ? `${whose} allows no deletions`
      : `${whose} lets one command delete at most ${countOf(maxDeletes, 'object', 'objects')}, not ${wanted}`,
    { hint: 'Nothing was changed. The limit is --max-deletes of the profile' },
  )
}

/** Throws `RefusedError` if the profile requires the backup that `option` names. */
export function refuseWithoutBackup(
  { config }: Pick<Context, 'config'>,
  option: BackupOption,
  file: string | undefined,
): void {
  if (file !== undefined || !config.limits.require.includes('backup')) return
  throw new RefusedError(`${named(config)} requires a backup`, { hint: `Give ${option} FILE` })
}

function named({ profile }: Context['config']): string {
  return `The profile ${profile?.name ?? ''}`.trim()
}

interface Forbidding {
  readonly operation: OperationRequest
  readonly given: GivenForDeletion
  /** Undefined if not known yet. */
  readonly count: number | undefined
}

/** Throws `RefusedError` if the safety level or the limits forbid it. Sends no request. */
export function refuseForbidden(
  context: Context,
  connection: Connection,
  { operation, given, count }: Forbidding,
): void {
  for (const { method, destroys } of sampleWrites(connection, operation)) {
    refuseUnsafe({ method, destroys }, context.config.safety)
  }
  if (isDelete(operation)) refuseBeyondLimits(context, count, given)
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
  if (write.effect === 'read') return
  refuseUnsafe(write, context.config.safety)
  if (deletes > 0) refuseBeyondLimits(context, deletes, 'api')
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
