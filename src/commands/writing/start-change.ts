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
import type { BackupOption, PlannedRun } from '../../runs/request.ts'
import { startRun } from '../../runs/start-run.ts'
import type { FixedTargets } from '../../targets/source.ts'
import type { GivenOptions } from './bulk-options.ts'
import { listWords, sourceOf } from './target-source.ts'

interface OfFixedTargets {
  readonly planned?: PlannedRun
  readonly backupOption?: BackupOption
}

/**
 * `targets`: the ids that were typed, which may be none, or what a plan or an undo has fixed. Throws `UsageError` for options
 * that contradict each other, no source or several, and what is no id.
 */
export function startChange(
  context: Context,
  operation: OperationRequest,
  targets: readonly string[] | FixedTargets,
  { planned, backupOption, ...options }: GivenOptions & OfFixedTargets,
): Promise<Result> {
  const { host } = context
  refuseContradictions(context, operation, options)
  const { expect, max, canary, maxFailures, concurrency, maxDuration, backup, receipt, plan } = options
  const { reason = null, requestedBy = null, received = null } = options
  return startRun(context, {
    operation,
    targets: 'kind' in targets ? targets : sourceOf(targetIdsOf(operation), targets, options),
    guards: { expect, max, canary, maxFailures },
    pace: { concurrency, maxDuration },
    records: {
      backup: backupFile(host, backup),
      backupOption: backupOption ?? ('backup' in options ? '--backup' : undefined),
      receipt: receipt === undefined ? undefined : resolve(host.cwd, receipt),
      details: { reason, requestedBy, received },
    },
    purpose:
      planned ?? (plan === undefined ? { kind: 'run' } : { kind: 'plan', file: plan, selection: listWords(options) }),
    recorded: recordedOptions(options),
  })
}

const files = ['from', 'distinctIdsFrom', 'emailsFrom', 'rows', 'unmatched', 'backup', 'receipt', 'plan'] as const

function refuseContradictions(context: Context, operation: OperationRequest, options: GivenOptions): void {
  const { all, expect, from, distinctIdsFrom, emailsFrom, rows, types, plan, unmatched } = options
  if (all && isDelete(operation) && expect === undefined) {
    throw new UsageError('Deleting with --all needs the number of targets', { hint: 'Give --expect N' })
  }
  if (options.body === '-' && [from, distinctIdsFrom, emailsFrom, rows].includes('-')) {
    throw new UsageError('stdin cannot carry both the body and the ids', { hint: 'Put one of them in a file' })
  }
  if (types?.length && rows === undefined) {
    throw new UsageError('--types needs --rows', { hint: 'Leave it out' })
  }
  const early = (['receipt', 'backup', 'maxDuration'] as const).find(name => options[name] !== undefined)
  if (plan !== undefined && early !== undefined) {
    throw new UsageError(`${optionName(early)} cannot be combined with --plan`, {
      hint: 'Give it to analytics jobs run',
    })
  }
  if (plan !== undefined && context.values.dryRun) {
    throw new UsageError('--plan changes nothing, and cannot be combined with --dry-run', {
      hint: 'Leave one of them out',
    })
  }
  refuseSameFile(context, Object.fromEntries(files.map(name => [optionName(name), options[name]])))
  if (unmatched !== undefined) checkWritable(resolve(context.host.cwd, unmatched), '--unmatched')
}
