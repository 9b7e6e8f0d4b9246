/** From the options of a change to the request of its run. Nothing below the commands knows an option. */
import { resolve } from 'node:path'
import { optionName } from '../../cli/options.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { checkWritable } from '../../files/private-file.ts'
import { recordedOptions } from '../../jobs/recorded-options.ts'
import { isDelete, type OperationRequest, targetIdsOf } from '../../operations/operation.ts'
import type { Result } from '../../result.ts'
import { refuseSameFile } from '../../runs/checks/same-file.ts'
import { backupFile } from '../../runs/receipt-facts.ts'
import type { BackupOption } from '../../runs/request.ts'
import { startRun } from '../../runs/start-run.ts'
import { type FixedTargets, hasOnlyNegations } from '../../targets/source.ts'
import type { GivenOptions } from './bulk-options.ts'
import { sourceOf } from './target-source.ts'

interface OfFixedTargets {
  readonly backupOption?: BackupOption
}

/**
 * `targets`: the ids that were typed, which may be none, or what an undo has fixed. Throws `UsageError` for options
 * that contradict each other, no source or several, and what is no id.
 */
export function startChange(
  context: Context,
  operation: OperationRequest,
  targets: readonly string[] | FixedTargets,
  { backupOption, ...options }: GivenOptions & OfFixedTargets,
): Promise<Result> {
  const { host } = context
  refuseContradictions(context, operation, options)
  const { expect, max, maxFailures, concurrency, backup, receipt, reason = null } = options
  const source = 'kind' in targets ? targets : sourceOf(targetIdsOf(operation), targets, options)
  const takesAway = isDelete(operation) || operation.command === 'persons delete-property'
  if (takesAway && hasOnlyNegations(source) && expect === undefined && !context.values.dryRun) {
    throw new UsageError('With negations alone, a typing error in a name selects everyone', {
      hint: 'Give --expect N; --dry-run shows how many there are',
    })
  }
  return startRun(context, {
    operation,
    targets: source,
    guards: { expect, max, maxFailures },
    concurrency,
    records: {
      backup: backupFile(host, backup),
      backupOption: backupOption ?? ('backup' in options ? '--backup' : undefined),
      receipt: receipt === undefined ? undefined : resolve(host.cwd, receipt),
      reason,
    },
    purpose: { kind: 'run' },
    recorded: recordedOptions(options),
  })
}

const files = ['from', 'distinctIdsFrom', 'emailsFrom', 'rows', 'unmatched', 'backup', 'receipt'] as const

function refuseContradictions(context: Context, operation: OperationRequest, options: GivenOptions): void {
  const { all, expect, from, distinctIdsFrom, emailsFrom, rows, types, unmatched } = options
  if (all && isDelete(operation) && expect === undefined) {
    throw new UsageError('Deleting with --all needs the number of targets', { hint: 'Give --expect N' })
  }
  if (options.body === '-' && [from, distinctIdsFrom, emailsFrom, rows].includes('-')) {
    throw new UsageError('stdin cannot carry both the body and the ids', { hint: 'Put one of them in a file' })
  }
  if (types?.length && rows === undefined) {
    throw new UsageError('--types needs --rows', { hint: 'Leave it out' })
  }
  refuseSameFile(context, Object.fromEntries(files.map(name => [optionName(name), options[name]])))
  if (unmatched !== undefined) checkWritable(resolve(context.host.cwd, unmatched), '--unmatched')
}
