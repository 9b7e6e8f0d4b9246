/** Lists the persons of `--emails-from` or `--distinct-ids-from`; loaded only for such a list. */
import { type OptionsOf, refuseBeside } from '../../cli/options.ts'
import type { Context } from '../../context.ts'
import { batchesOf } from '../../jobs/run-parallel.ts'
import type { Item } from '../../json/read-item.ts'
import { views } from '../../output/views.ts'
import type { Result } from '../../result.ts'
import { withLongWaits } from '../../runs/place.ts'
import { accountFor } from '../../targets/account.ts'
import { findPersons } from '../../targets/find-persons.ts'
import { namesIn, placesIn, readNames } from '../../targets/read-names.ts'
import type { Paging } from '../reading/paging.ts'
import type { listedPersons } from '../writing/bulk-options.ts'
import { personList } from '../writing/target-source.ts'
import type { filters } from './filters.ts'

type Options = OptionsOf<typeof filters> & OptionsOf<typeof listedPersons> & Paging

const concurrency = 8

/** Lines that are looked up before their persons are printed. */
const atOnce = 1000

export async function listNamed(context: Context, options: Options): Promise<Result> {
  const { emailsFrom, distinctIdsFrom, column, unmatched, requireAll, all, ...others } = options
  refuseBeside('A list of persons is printed whole', others, 'Leave one of them out')
  const { by, list } = personList({ emailsFrom, distinctIdsFrom, column, unmatched, requireAll })
  const names = await readNames(context, by, list)
  const at = placesIn(names)
  const reader = withLongWaits(await context.connect())
  const ids = new Map<string, readonly string[]>()
  const seen = new Set<string>()
  const idsOf = (name: string) => ids.get(name) ?? []
  const account = () => accountFor(context, reader, names, { by, options: list, idsOf })
  async function* batches() {
    const held: Item[] = []
    for (const batch of batchesOf(namesIn(names), atOnce)) {
      const found = await findPersons(reader, batch, { by, concurrency, at, keep: (row: Item) => row })
      const rows = new Map<string, Item>()
      for (const name of batch) {
        const own = found.get(name) ?? new Map<string, Item>()
        ids.set(name, [...own.keys()])
        for (const [id, row] of own) if (!seen.has(id)) rows.set(id, row)
      }
      for (const id of rows.keys()) seen.add(id)
      if (requireAll) held.push(...rows.values())
      else yield [...rows.values()]
    }
    if (!requireAll) return
    await account()
    yield held
  }
  const end = async () => {
    if (!requireAll) await account()
  }
  return { data: { rows: batches(), isOne: false, view: views.person }, end }
}
