/** Every check of a run before its first write, in the order in which the user meets them. A row that applies throws. */
import { refuseUnanswerable } from '../../consent.ts'
import type { Connection, Context } from '../../context.ts'
import { RejectedError, UsageError } from '../../errors.ts'
import { batchOf, counted, isDelete, rowOf, targetName } from '../../operations/operation.ts'
import { knownIds, namesOne, readsStdin, type Selection } from '../../targets/source.ts'
import { isUuid } from '../../values/ids.ts'
import { describeOperation, requireScope } from '../place.ts'
import type { RunRequest } from '../request.ts'
import type { ResolvedRun } from '../run.ts'
import { refuseJob } from './job-files.ts'
import { refuseBeyondLimits, refuseCount, refuseForbidden } from './limits.ts'
import { refuseUnwritable } from './written-files.ts'

/**
 * What is known at each stage: the command line; then the targets as they were named; then where it goes; then the targets
 * themselves. No request is sent before `resolved`.
 */
interface Known {
  typed: { readonly context: Context; readonly request: RunRequest }
  chosen: Known['typed'] & { readonly selection: Selection }
  connected: Known['chosen'] & { readonly connection: Connection }
  resolved: Known['typed'] & { readonly run: ResolvedRun; readonly limit: Selection['limit'] }
}

type Stage = keyof Known

interface Check<S extends Stage> {
  readonly name: string
  readonly stage: S
  readonly applies?: (known: Known[S]) => boolean
  readonly check: (known: Known[S]) => void | Promise<void>
}

type AnyCheck = { readonly [S in Stage]: Check<S> }[Stage]

export const checks: readonly AnyCheck[] = [
  { name: 'the job to resume', stage: 'typed', check: ({ context, request }) => refuseJob(context, request) },
  { name: 'files', stage: 'typed', check: ({ context, request }) => refuseUnwritable(context, request) },
  {
    name: '--yes for an unknown number',
    stage: 'chosen',
    check: ({ context, request, selection }) => refuseUnlimitedConsent(context, request, selection),
  },
  {
    name: 'project or organization',
    stage: 'connected',
    check: ({ request, connection }) => requireScope(connection, request.operation),
  },
  {
    name: 'secrets in what is kept',
    stage: 'connected',
    check: ({ context, request, connection }) => refuseSecrets(context, connection, request.records.reason),
  },
  {
    name: 'safety level, limits and guards',
    stage: 'connected',
    check({ context, request, connection, selection }) {
      const count = knownIds(selection)?.length
      const { operation, guards, purpose } = request
      // A resume is held to the whole job.
      const deleted = purpose.kind === 'resume' ? purpose.job.header.total : count
      refuseForbidden(context, connection, { operation, count: deleted })
      if (count !== undefined) refuseCount(count, guards)
    },
  },
  {
    name: 'a question that nobody can answer',
    stage: 'connected',
    check: ({ context, request, connection, selection }) => refuseUnasked(context, connection, request, selection),
  },
  {
    name: 'persons for --batch that the service names by number',
    stage: 'resolved',
    applies: ({ run }) => batchOf(run.operation) !== undefined,
    check: ({ run }) => refuseNumbers(run.targets),
  },
  {
    name: 'limits, with the number that was found',
    stage: 'resolved',
    applies: ({ run }) => isDelete(run.operation),
    check: ({ context, run }) => refuseBeyondLimits(context, run.targets.length),
  },
  {
    name: '--expect, --max, and what the command line names',
    stage: 'resolved',
    check: ({ request, run, limit }) => refuseCount(run.targets.length, request.guards, limit),
  },
]

export async function checkAt<S extends Stage>(stage: S, known: Known[S]): Promise<void> {
  for (const row of checks) {
    if (!isAt(row, stage)) continue
    if (row.applies?.(known) ?? true) await row.check(known)
  }
}

function isAt<S extends Stage>(row: AnyCheck, stage: S): row is Extract<AnyCheck, Check<S>> & Check<S> {
  return row.stage === stage
}

/** Throws `UsageError` if `--yes` would confirm an unlimited number of targets. */
function refuseUnlimitedConsent({ values }: Context, request: RunRequest, selection: Selection): void {
  if (!values.yes || values.dryRun || !isUnlimited(request, selection)) return
  throw new UsageError('--yes does not agree to an unknown number of targets', {
    hint: 'Give --max N or --expect N with it; --dry-run shows how many there are',
  })
}

function isUnlimited({ operation, guards: { max, expect } }: RunRequest, { limit }: Selection): boolean {
  return rowOf(operation).asks !== undefined && [limit, max, expect].every(number => number === undefined)
}

/** Throws `UsageError` for a text with a secret, since jobs and receipts are passed on. */
async function refuseSecrets({ secrets }: Context, connection: Connection, reason: string | null): Promise<void> {
  if (!reason || (secrets.hide(reason) === reason && !(await connection.holdsKey(reason)))) return
  throw new UsageError('--reason holds the key in use or another secret; receipts and jobs would store it', {
    hint: 'Give another text',
  })
}

/** Throws `RefusedError` if a question is needed that nobody can answer. */
function refuseUnasked(context: Context, connection: Connection, request: RunRequest, selection: Selection): void {
  const { operation, targets: source } = request
  const ids = knownIds(selection)
  if (ids?.length === 0) return
  const id = namesOne(source) ? ids?.at(0) : undefined
  const many = ids ? counted(ids.length, operation) : rowOf(operation).noun[1]
  const what = id === undefined ? many : targetName(operation, id)
  refuseUnanswerable(context, {
    doing: describeOperation(context, connection, operation, what),
    isAsked: isAskedAbout(request),
    readsStdin: readsStdin(source),
    ...(isUnlimited(request, selection) && {
      hint: 'Pass --yes with --max N or --expect N to go ahead; --dry-run shows how many there are',
    }),
  })
}

/** A single named target needs a question only if the operation is destructive. A job was agreed to when it began. */
export function isAskedAbout({ operation, targets, purpose }: RunRequest): boolean {
  if (purpose.kind === 'resume') return false
  return !namesOne(targets) || rowOf(operation).asks !== undefined
}

/** Throws `RejectedError` where older servers list persons by number. */
function refuseNumbers(ids: readonly string[]): void {
  const number = ids.find(id => !isUuid(id))
  if (number === undefined) return
  throw new RejectedError(`The service names person ${number} by number, and --batch takes UUIDs`, {
    hint: 'Nothing was changed. Run the command again without --batch',
  })
}
