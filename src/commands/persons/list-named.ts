import { idOf } from '../../api/responses/record-identity.ts'
import { type OptionsOf, refuseBeside } from '../../cli/command.ts'
import type { Context, Result } from '../../context.ts'
import { batchesOf, withLongWaits } from '../../jobs/run-parallel.ts'
import type { Item } from '../../json/read-item.ts'
import { views } from '../../output/views.ts'
import { summarizeInput } from '../../targets/input-summary.ts'
import { personFinder } from '../../targets/person-lookups.ts'
import { readNames } from '../../targets/read-names.ts'
import type { paging } from '../paging.ts'
import type { listedPersons } from '../writing/bulk-options.ts'

type Options = OptionsOf<typeof listedPersons & typeof paging>

const concurrency = 8

const linesPerLookup = 1000

export async function listNamed(context: Context, file: string, options: Options): Promise<Result> {
  const { emailsFrom, distinctIdsFrom, column, unmatched, requireAll, all, ...others } = options
  refuseBeside('A list of persons is always printed whole', others, 'Remove one of them')
  const by = emailsFrom === undefined ? 'distinctId' : 'email'
  const list = { file, column, unmatched, requireAll, allowMultiple: true }
  const names = await readNames(context, by, list)
  const reader = withLongWaits(await context.connect())
  const findPersons = personFinder(reader, names, { concurrency, isShown: true })
  const ids = new Map<string, readonly string[]>()
  const printedIds = new Set<string>()
  async function* batches() {
    const heldRows: Item[] = []
    for (const batch of batchesOf(names.firstLines.keys(), linesPerLookup)) {
      const matches = await findPersons(batch, row => row)
      const rows: Item[] = []
      for (const name of batch) {
        const persons = [...(matches.get(name) ?? [])]
        const idsOfName = persons.map(([, { value }]) => idOf(value, 'persons'))
        ids.set(name, idsOfName)
        for (const [person, row] of persons) {
          if (!printedIds.has(person)) rows.push(row)
          printedIds.add(person)
        }
      }
      if (requireAll) heldRows.push(...rows)
      else yield rows
    }
    await summarizeInput(context, reader, { list: names, concurrency, idsOf: name => ids.get(name) ?? [] })
    yield heldRows
  }
  return { data: { rows: batches(), isOne: false, view: views.person } }
}
