import type { OptionsOf } from '../../cli/options.ts'
import type { Context } from '../../context.ts'
import { itemOf } from '../../json/read-item.ts'
import { listDocument, type View } from '../../output/document.ts'
import { read, type Shown } from '../../result.ts'
import { listedWhere, paging, wholeList } from './paging.ts'

export const selecting = { limit: paging.limit, where: paging.where }

/** While it is printed, throws `UsageError` for a filter on a field that no row has. */
export function ownList(
  context: Context,
  rows: readonly object[],
  view: View,
  { limit, where }: OptionsOf<typeof selecting>,
): Shown {
  if (where.length === 0) return read({ document: listDocument(rows.slice(0, limit), view) })
  async function* batches() {
    yield rows.map(itemOf)
  }
  const source = { documented: view.fields }
  const whole = { open: () => wholeList(batches()), source, now: context.host.clock.now() }
  return listedWhere(context, whole, view, { limit, where })
}
