/** Lists the persons of `--emails-from` or `--distinct-ids-from`. */
import { idOf } from '../../api/responses/record-identity.ts'
import { type OptionsOf, refuseBeside } from '../../cli/options.ts'
import type { Context } from '../../context.ts'
import { batchesOf } from '../../jobs/run-parallel.ts'
import type { Item } from '../../json/read-item.ts'
import { views } from '../../output/views.ts'
import type { Result } from '../../result.ts'
import { withLongWaits } from '../../runs/scope.ts'
import { summarizeInput } from '../../targets/input-summary.ts'
import { personFinder } from '../../targets/person-lookups.ts'
import { readNames } from '../../targets/read-names.ts'
import type { paging } from '../reading/paging.ts'
import type { listedPersons, personFilters } from '../writing/bulk-options.ts'

type Options = OptionsOf<typeof personFilters & typeof listedPersons & typeof paging>

const concurrency = 8

/** How many lines are looked up before their persons are printed. */
const atOnce = 1000

export async function listNamed(context: Context, file: string, options: Options): Promise<Result> {
  const { emailsFrom, distinctIdsFrom, column, unmatched, requireAll, all, ...others } = options
  refuseBeside('A list of persons is always printed whole', others, 'Remove one of them')
  const by = emailsFrom === undefined ? 'distinctId' : 'email'
  const list = { file, column, unmatched, requireAll, allowMultiple: true }
  const names = await readNames(context, by, list)
  const reader = withLongWaits(await context.connect())
  const findPersons = personFinder(reader, names, { concurrency, isShown: true })
  const ids = new Map<string, readonly string[]>()
  const shown = new Set<string>()
  async function* batches() {
    const held: Item[] = []
    for (const batch of batchesOf(names.firstLines.keys(), atOnce)) {
      const found = await findPersons(batch, row => row)
      const rows: Item[] = []
      for (const name of batch) {
        const own = [...(found.get(name) ?? [])]
        ids.set(
          name,
          own.map(([, { value }]) => idOf(value, 'persons')),
        )
        rows.push(...own.flatMap(([person, row]) => (shown.has(person) ? [] : [row])))
        for (const [person] of own) shown.add(person)
      }
      if (requireAll) held.push(...rows)
      else yield rows
    }
    const idsOf = (name: string) => ids.get(name) ?? []
    await summarizeInput(context, reader, { list: names, concurrency, idsOf })
    yield held
  }
  return { data: { rows: batches(), isOne: false, view: views.person } }
}
