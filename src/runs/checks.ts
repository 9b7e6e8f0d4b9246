/** Every check of a run before its first write, as four functions in the order in which the user meets them. */
import { effectOf } from '../api/effects.ts'
import { refuseUnanswerable } from '../consent.ts'
import type { Connection, Context } from '../context.ts'
import { RefusedError, UsageError } from '../errors.ts'
import { checkWritable } from '../files/private-file.ts'
import { realPath } from '../files/regular-file.ts'
import { refuseUnsafe } from '../http/guard.ts'
import type { Request } from '../http/message.ts'
import { checkBackup } from '../jobs/backup.ts'
import { counted, isDelete, type Operation, targetName } from '../operations/operation.ts'
import { namesOne, readsStdin } from '../targets/source.ts'
import { countOf, grouped } from '../text/grouped.ts'
import { describeDoing } from './describe.ts'
import type { RunRequest } from './run.ts'

/** Usage, before a list is read. Throws `UsageError`. */
export function checkOutputs({ values }: Context, { receipt, backup }: Pick<RunRequest, 'receipt' | 'backup'>): void {
  if (values.dryRun) return
  if (receipt !== undefined) checkWritable(receipt, '--receipt')
  if (backup === undefined) return
  checkBackup(backup.path)
  refuseOverBackup(receipt, [backup.path])
}

/** A receipt takes the place of its file, and a backup may be the only copy of the old values. Throws `UsageError`. */
export function refuseOverBackup(receipt: string | undefined, backups: readonly string[]): void {
  if (receipt === undefined || !backups.some(path => realPath(path) === realPath(receipt))) return
  throw new UsageError(`--receipt: ${receipt} is the backup`, { hint: 'Give another file' })
}

interface Asked {
  readonly request: RunRequest
  readonly operation: Operation
  /** Number of targets, and the highest that the command line allows; undefined where it is not known yet. */
  readonly count: number | undefined
  readonly limit: number | undefined
  /** A single named target needs a question only if the operation is destructive. */
  readonly isAsked: boolean
}

/** Usage, once the list is read: `--yes` does not agree to an unknown number. Throws `UsageError`. */
export function checkBounds({ values }: Context, asked: Asked): void {
  if (!values.yes || values.dryRun || !isUnbounded(asked)) return
  throw new UsageError(`--yes does not agree to an unknown number of ${asked.operation.of.noun[1]}`, {
    hint: 'Give --max N or --expect N with it; --dry-run shows how many there are',
  })
}

function isUnbounded({ operation, limit, request: { guards } }: Asked): boolean {
  return operation.asks !== undefined && [limit, guards.max, guards.expect].every(number => number === undefined)
}

/** Project and key, safety level and limits that are known, and that somebody can agree. Sends no request. */
export async function checkAllowed(context: Context, connection: Connection, asked: Asked): Promise<void> {
  const { request, operation, count, isAsked } = asked
  requireScope(connection, operation)
  await refuseSecrets(context, connection, request.reason)
  refuseTargets(context, asked)
  if (count === 0) return
  const { targets } = request
  const id = namesOne(targets) && 'ids' in targets ? targets.ids[0] : undefined
  const many = count === undefined ? operation.of.noun[1] : counted(count, operation)
  refuseUnanswerable(context, {
    doing: describeDoing(context, { connection, operation }, id === undefined ? many : targetName(operation, id)),
    isAsked,
    readsStdin: readsStdin(targets),
    ...(isUnbounded(asked) && {
      hint: 'Pass --yes with --max N or --expect N to go ahead; --dry-run shows how many there are',
    }),
  })
}

function requireScope(connection: Connection, { of: { scope } }: Operation): void {
  if (scope === 'project_id') connection.project()
  if (scope === 'parent_lookup_organization_id') connection.requireOrganization()
}

/** Throws `RefusedError` if the safety level or the limits forbid it. Sends no request. */
export function refuseForbidden(context: Context, operation: Operation, count: number | undefined): void {
  if (context.values.dryRun) return
  for (const { endpoint, rawBody } of operation.writes()) {
    refuseUnsafe({ method: endpoint.method, ...effectOf(endpoint, rawBody) }, context.config.safety)
  }
  if (isDelete(operation)) refuseBeyondLimits(context, count)
}

/** Called again with the number that was found. Throws `RefusedError`. */
export function refuseTargets(context: Context, asked: Asked): void {
  const { request, operation, count } = asked
  refuseForbidden(context, operation, count)
  if (count !== undefined) refuseCount(count, operation, request.guards)
}

/** Throws `UsageError` for a text with a secret, since jobs and receipts are passed on. */
async function refuseSecrets({ secrets }: Context, connection: Connection, reason: string | null): Promise<void> {
  if (!reason || (secrets.hide(reason) === reason && !(await connection.holdsKey(reason)))) return
  throw new UsageError('--reason holds the key in use or another secret; receipts and jobs would store it', {
    hint: 'Give another text',
  })
}

/** `count`: at least one while it is not known yet, infinite if it will not be known. Throws `RefusedError`. */
function refuseBeyondLimits({ config }: Context, count = 1): void {
  const { maxDeletes } = config.values
  if (maxDeletes === undefined || count <= maxDeletes) return
  const whose = `The profile ${config.profile?.name ?? ''}`.trim()
  const wanted = Number.isFinite(count) ? grouped(count) : 'an unknown number'
  throw new RefusedError(
    maxDeletes === 0
      ? `${whose} allows no deletions`
      : `${whose} lets one command delete at most ${countOf(maxDeletes, 'object', 'objects')}, not ${wanted}`,
    { hint: 'Nothing was changed. The limit is --max-deletes of the profile' },
  )
}

interface WriteDemands {
  readonly doing: string
  readonly isAsked: boolean
  /** How many objects it deletes, infinite if that is not known. */
  readonly deletes: number
}

/** For writes that are no operation: the safety level, the limits, and that somebody can agree. */
export function refuseWrite(
  context: Context,
  write: Pick<Request, 'method' | 'effect' | 'destroys'>,
  { doing, isAsked, deletes }: WriteDemands,
): void {
  if (write.effect === 'read') return
  if (!context.values.dryRun) {
    refuseUnsafe(write, context.config.safety)
    refuseBeyondLimits(context, deletes)
  }
  refuseUnanswerable(context, { doing, isAsked })
}

/** Throws `RefusedError`. */
function refuseCount(count: number, operation: Operation, { expect, max }: RunRequest['guards']): void {
  const found = `Found ${counted(count, operation)}`
  const hint = 'Nothing was changed'
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
}
