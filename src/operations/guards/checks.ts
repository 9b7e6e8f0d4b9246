/** Every check of a run before its first write, in the order in which the user meets them. A row that applies throws. */
import type { Connection, Context } from '../../context.ts'
import { batchOf, isDelete, rowOf } from '../operation.ts'
import type { ResolvedRun } from '../run/run.ts'
import type { RunRequest } from '../run-request.ts'
import { requireScope } from '../scope.ts'
import { knownIds, type Selection } from '../targets/source.ts'
import { givenForDeletion, refuseBeyondLimits, refuseCount, refuseForbidden, refuseWithoutBackup } from './limits.ts'
import { refuseSecrets } from './refuse-secrets.ts'
import { refuseUnasked, refuseUnlimitedConsent } from './refuse-unasked.ts'
import { refuseUnheldNames } from './refuse-unheld-names.ts'
import { refuseCurrent, refuseFuture, refuseNumbers, refuseUnusable } from './refuse-unusable.ts'

/**
 * What is known at each stage: the command line; then the targets as they were named; then where it goes; then, for plans
 * and jobs, that it goes where they were made. No request is sent before `resolved`, when the targets are fixed.
 */
interface Known {
  typed: { readonly context: Context; readonly request: RunRequest }
  chosen: Known['typed'] & { readonly selection: Selection }
  connected: Known['chosen'] & { readonly connection: Connection }
  placed: Known['connected']
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
  { name: 'files', stage: 'typed', check: ({ context, request }) => refuseUnusable(context, request) },
  {
    name: '@current among several projects',
    stage: 'chosen',
    applies: ({ request }) => rowOf(request.operation).collection === 'projects',
    check: ({ selection }) => refuseCurrent(knownIds(selection) ?? []),
  },
  {
    name: '--yes for an unknown number',
    stage: 'chosen',
    check: ({ context, request, selection }) => refuseUnlimitedConsent(context, request, selection),
  },
  {
    name: 'a date in the future',
    stage: 'connected',
    check: ({ request, connection }) => refuseFuture(request.records.details, connection.now()),
  },
  {
    name: 'project or organization',
    stage: 'connected',
    check: ({ request, connection }) => requireScope(connection, request.operation),
  },
  {
    name: 'secrets in what is kept',
    stage: 'connected',
    check: ({ context, request, connection }) => refuseSecrets(context, connection, request.records.details),
  },
  {
    name: 'safety level, limits and guards',
    stage: 'connected',
    check: ({ context, request, connection, selection }) =>
      refuseForbidden(context, connection, { ...request, given: givenForDeletion(request) }, knownIds(selection)),
  },
  {
    name: 'a backup that the profile requires',
    stage: 'connected',
    // A plan saves nothing; its run does.
    applies: ({ request }) => request.purpose.kind !== 'plan',
    check: ({ context, request: { records } }) =>
      records.backupOption && refuseWithoutBackup(context, records.backupOption, records.backup),
  },
  {
    name: 'a question that nobody can answer',
    stage: 'placed',
    applies: ({ request }) => request.purpose.kind !== 'plan',
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
    check: ({ context, request, run }) => refuseBeyondLimits(context, run.targets.length, givenForDeletion(request)),
  },
  {
    name: '--expect, --max, and what the command line names',
    stage: 'resolved',
    check: ({ request, run, limit }) => refuseCount(run.targets.length, request.guards, limit),
  },
  {
    name: 'names of --all-but that nobody has',
    stage: 'resolved',
    applies: ({ run }) => run.targets.length > 0,
    check: ({ context, run }) => refuseUnheldNames(context, run),
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
