import { RefusedError } from '../../errors.ts'
import { countOf, grouped } from '../../text/grouped.ts'
import type { Guards } from '../run-request.ts'

export function refuseCount(count: number, { expect, max }: Guards, limit = Number.POSITIVE_INFINITY): void {
  const found = `Found ${countOf(count, 'target', 'targets')}`
  const hint = 'Nothing was changed. Check the targets'
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
  if (count > limit) throw new RefusedError(`${found}, expected at most ${grouped(limit)}`, { hint })
}
