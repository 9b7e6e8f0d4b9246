import { resolve } from 'node:path'
import type { Context } from '../../context.ts'
import { RejectedError, UsageError } from '../../errors.ts'
import { checkWritable } from '../../files/private-file.ts'
import { checkBackup } from '../../jobs/backup.ts'
import type { Targets } from '../../jobs/targets/target-list.ts'
import { isUuid } from '../../values/ids.ts'
import type { Records, RunRequest } from '../run-request.ts'

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

/** Throws `RejectedError` where older servers list persons by number. */
export function refuseNumbers(ids: Targets): void {
  const number = ids.find(id => !isUuid(id))
  if (number === undefined) return
  throw new RejectedError(`The service names person ${number} by number, and --batch takes UUIDs`, {
    hint: 'Nothing was changed. Run the command again without --batch',
  })
}

/** Throws `UsageError` for files that cannot be written. Sends no request. */
export function refuseUnusable({ host, values }: Context, { records, purpose }: RunRequest): void {
  if (values.dryRun) return
  const { receipt, backup } = records
  if (receipt !== undefined) checkWritable(resolve(host.cwd, receipt), '--receipt')
  if (backup !== undefined) checkBackup(resolve(host.cwd, backup))
  if (purpose.kind === 'plan') checkWritable(resolve(host.cwd, purpose.file), '--plan')
}

/** `now`: milliseconds of the service's clock; that of the sandbox may be ahead. Somewhere it may be tomorrow already. */
export function refuseFuture({ received }: Records['details'], now: number): void {
  const tomorrow = new Date(now + 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
  if (received === null || received <= tomorrow) return
  throw new UsageError(`--received ${received} is in the future`, { hint: 'Give the day on which the request came' })
}
