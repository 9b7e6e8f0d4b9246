import { resolve } from 'node:path'
import type { GivenOptions } from '../../cli/bulk-options.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { checkWritable } from '../../files/private-file.ts'
import { checkBackup } from '../../jobs/backup.ts'
import type { Targets } from '../../jobs/targets/target-list.ts'
import { isDelete, type OperationRequest } from '../operation.ts'
import { refuseSameFile } from './refuse-same-file.ts'

/** Throws `UsageError` for `@current` among several projects: it may be one of them, and another one at a resume. */
export function refuseCurrent(ids: Targets): void {
  if (ids.length < 2) return
  for (const id of ids) {
    if (id !== '@current') continue
    throw new UsageError('@current cannot be combined with other projects: it may be one of them', {
      hint: 'Give its id',
    })
  }
}

/** Throws `UsageError` for conflicting options and files that cannot be written. Sends no request. */
export function refuseUnusable(context: Context, request: OperationRequest, options: GivenOptions): void {
  const { all, expect, from, distinctIdsFrom, emailsFrom, rows, types, backup, receipt, plan, unmatched, maxDuration } =
    options
  if (all && isDelete(request) && expect === undefined) {
    throw new UsageError('Deleting with --all needs the number of targets', { hint: 'Give --expect N' })
  }
  if (options.body === '-' && [from, distinctIdsFrom, emailsFrom, rows].includes('-')) {
    throw new UsageError('stdin cannot carry both the body and the ids', { hint: 'Put one of them in a file' })
  }
  if (types?.length && rows === undefined) {
    throw new UsageError('--types needs --rows', { hint: 'Leave it out' })
  }
  // The clock of the sandbox, which is known later, may be ahead.
  if (!context.values.sandbox) refuseFuture(options, context.host.clock.now())
  refuseSameFile(context, options)
  const atTheRun = { '--receipt': receipt, '--backup': backup, '--max-duration': maxDuration }
  const [early] = Object.entries(atTheRun).find(([, value]) => value !== undefined) ?? []
  if (plan !== undefined && early !== undefined) {
    throw new UsageError(`${early} cannot be combined with --plan`, { hint: 'Give it to analytics jobs run' })
  }
  if (plan !== undefined && context.values.dryRun) {
    throw new UsageError('--plan changes nothing, and cannot be combined with --dry-run', {
      hint: 'Leave one of them out',
    })
  }
  const { cwd } = context.host
  if (unmatched !== undefined) checkWritable(resolve(cwd, unmatched), '--unmatched')
  if (context.values.dryRun) return
  if (receipt !== undefined) checkWritable(resolve(cwd, receipt), '--receipt')
  if (backup !== undefined) checkBackup(resolve(cwd, backup))
  if (plan !== undefined) checkWritable(resolve(cwd, plan), '--plan')
}

/** `now`: milliseconds of the service's clock. Somewhere it may be tomorrow already. */
export function refuseFuture({ received }: GivenOptions, now: number): void {
  const tomorrow = new Date(now + 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
  if (received === undefined || received <= tomorrow) return
  throw new UsageError(`--received ${received} is in the future`, { hint: 'Give the day on which the request came' })
}
