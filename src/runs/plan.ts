/** What the checks need to know of a run. */

import { deletesObjects, effectOf } from '../api/effects.ts'
import type { Context } from '../context.ts'
import { counted, type Operation, targetName } from '../operations/operation.ts'
import { namesOne, readsStdin } from '../targets/source.ts'
import type { PlannedWrite } from './checks.ts'
import { describePlan } from './describe.ts'
import type { RunRequest } from './run.ts'

interface Planned {
  readonly request: RunRequest
  readonly operation: Operation
  /** Number of targets, and the highest that the command line allows; undefined where it is not known yet. */
  readonly count: number | undefined
  readonly limit: number | undefined
}

export function planRun(context: Context, { request, operation, count, limit }: Planned): PlannedWrite {
  const { targets, guards, receipt, backup, reason, undoes } = request
  const isUnbounded = operation.asks !== undefined && [limit, guards.max, guards.expect].every(one => one === undefined)
  const many = count === undefined ? operation.of.noun[1] : counted(count, operation)
  const id = namesOne(targets) && 'ids' in targets ? targets.ids[0] : undefined
  return {
    files: { receipt, backup: backup?.path, backupsRead: undoes?.backups ?? [] },
    reason,
    ...planOperation(operation, count),
    targets: { count, counted: many, nouns: operation.of.noun[1] },
    guards,
    isUnbounded,
    proposal: connection => ({
      doing: describePlan(context, { connection, operation }, id === undefined ? many : targetName(operation, id)),
      isAsked: count !== 0 && needsConfirmation(request, operation),
      readsStdin: readsStdin(targets),
      ...(isUnbounded && {
        hint: 'Use --yes with --max N or --expect N to confirm; --dry-run shows how many match',
      }),
    }),
    confirm: async () => undefined,
  }
}

/** A single named target needs a prompt only if the operation is destructive. */
export function needsConfirmation({ targets }: Pick<RunRequest, 'targets'>, { asks }: Operation): boolean {
  return !namesOne(targets) || asks !== undefined
}

export function planOperation(operation: Operation, count: number | undefined) {
  const writes = operation.writes()
  return {
    scope: operation.of.scope,
    requests: writes.map(({ endpoint, rawBody }) => ({ method: endpoint.method, ...effectOf(endpoint, rawBody) })),
    deletes: writes.some(({ endpoint, rawBody }) => deletesObjects(endpoint, rawBody)) ? (count ?? 1) : 0,
  }
}
