import { refuseUnanswerable } from '../consent.ts'
import type { Context } from '../context.ts'
import { RefusedError } from '../errors.ts'
import { refuseUnsafe } from '../http/guard.ts'
import type { Request } from '../http/message.ts'
import { counted, type Operation } from '../operations/operation.ts'
import { countOf, grouped } from '../text/grouped.ts'
import type { RunRequest } from './run.ts'

/** `count`: undefined if not known yet, infinite if it will not be known. Throws `RefusedError`. */
export function refuseBeyondLimits({ config }: Pick<Context, 'config'>, count: number | undefined): void {
  const { maxDeletes } = config.values
  if (maxDeletes === undefined || (count ?? 1) <= maxDeletes) return
  const whose = `The profile ${config.profile?.name ?? ''}`.trim()
  const wanted = count !== undefined && Number.isFinite(count) ? grouped(count) : 'an unknown number'
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
export function refuseCount(count: number, operation: Operation, { expect, max }: RunRequest['guards']): void {
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
