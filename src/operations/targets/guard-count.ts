import { RefusedError } from '../../errors.ts'
import type { TargetOptions } from './target-options.ts'

/** Throws `RefusedError` unless the number of targets is allowed. */
export function guardCount(count: number, { expect, max }: TargetOptions, limit = Number.POSITIVE_INFINITY): void {
  const found = `Found ${count} ${count === 1 ? 'target' : 'targets'}`
  const hint = 'Nothing was changed. Check the targets'
  if (expect !== undefined && count !== expect) {
    throw new RefusedError(`${found}, expected ${expect}`, { hint: `${hint}; if they are right, correct --expect` })
  }
  if (max !== undefined && count > max) {
    throw new RefusedError(`${found}, at most ${max} allowed`, { hint: `${hint}; if they are right, raise --max` })
  }
  if (count > limit) throw new RefusedError(`${found}, expected at most ${limit}`, { hint })
}
