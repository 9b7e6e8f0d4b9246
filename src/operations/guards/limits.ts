/** What a profile demands of every deletion (`docs/security.md`). */
import type { Context } from '../../cli/command.ts'
import { RefusedError } from '../../errors.ts'
import { countOf, grouped } from '../../text/grouped.ts'

interface Deletion {
  /** Undefined while the number is unknown. */
  readonly count: number | undefined
  readonly reason?: string | undefined
  readonly receipt?: string | undefined
  /** The file that it is written to, or the digest of the one that is run. */
  readonly plan?: string | undefined
}

const demands = {
  reason: 'Give --reason TEXT to the delete command; a job or a plan that has none must be made again',
  receipt: 'Give --receipt FILE',
  plan: 'Give --plan FILE to a delete command to write one, and run it with analytics jobs run FILE',
} as const

/** Throws `RefusedError` for a deletion that does not meet the demands of the profile. */
export function refuseBeyondLimits({ settings }: Pick<Context, 'settings'>, deletion: Deletion): void {
  const { limits, profile } = settings
  const whose = `The profile ${profile?.name ?? ''}`.trim()
  const given = { reason: deletion.reason?.trim(), receipt: deletion.receipt, plan: deletion.plan }
  const missing = limits.require.find(name => !given[name])
  if (missing) {
    throw new RefusedError(`${whose} requires a ${missing} for every deletion`, { hint: demands[missing] })
  }
  const { maxDeletes } = limits
  const { count } = deletion
  if (maxDeletes === undefined || (count ?? 1) <= maxDeletes) return
  throw new RefusedError(
    maxDeletes === 0
      ? `${whose} allows no deletions`
      : `${whose} lets one command delete at most ${countOf(maxDeletes, 'object', 'objects')}, not ${grouped(count ?? 1)}`,
    { hint: 'Nothing was changed. The limit is max_deletes of the profile' },
  )
}
