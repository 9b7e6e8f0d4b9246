import type { Context } from '../../context.ts'
import { RefusedError } from '../../errors.ts'
import { isStrangers } from '../../files/permissions.ts'
import type { JobLocation } from '../../jobs/job-header.ts'

/** Throws `RefusedError` where `--yes` would agree to an unknown number of what somebody else may have written. */
export function refuseStranger({ values }: Context, { name, folder }: JobLocation, expect: number | undefined): void {
  if (!values.yes || values.dryRun || expect !== undefined || !isStrangers(folder)) return
  throw new RefusedError(`The folder of job ${name} belongs to another user, or others can write to it`, {
    hint: `Look at it with analytics jobs show ${name}; --yes wants --expect N with it, the number of targets that are left`,
  })
}
