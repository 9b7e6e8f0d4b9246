/** Lists the persons of `--emails-from` or `--distinct-ids-from`; loaded only for such a list. */
import { resolve } from 'node:path'
import { persons } from '../../api/endpoints.ts'
import { rowSource } from '../../api/select-rows.ts'
import { type OptionsOf, refuseBeside } from '../../cli/options.ts'
import type { Connection, Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { checkWritable } from '../../files/private-file.ts'
import type { Item } from '../../json/item.ts'
import { views } from '../../output/views.ts'
import { read, type Shown } from '../../result.ts'
import { forRun } from '../../runs/place.ts'
import { type NamedPersons, namedPersons, readPersonList } from '../../targets/named-persons.ts'
import { listedWhere, type Paging, wholeList } from '../reading/paging.ts'
import type { listedPersons } from '../writing/bulk-options.ts'
import { refuseSameFile } from '../writing/same-file.ts'
import { personsOf, refuseListOptions } from '../writing/target-source.ts'
import type { filters } from './filters.ts'

type Options = OptionsOf<typeof filters> & OptionsOf<typeof listedPersons> & Paging

const concurrency = 8

/** Several persons of one line are all printed, and the line is named. */
export async function listNamed(context: Context, options: Options): Promise<Shown> {
  const { by, list } = sourceIn(context, options)
  const names = await readPersonList(context, by, list)
  const named = namedPersons(context, by, names, { ...list, onSeveral: 'skip' })
  const connection = forRun(await context.connect(), concurrency)
  const batches = rowsOf(named, connection, options)
  const { client, project, now } = connection
  const { where } = options
  const source = rowSource(client, persons.list, { project_id: project() }, where)
  const view = views.person
  const result =
    where.length === 0
      ? read({ document: { shape: 'list', batches, view } })
      : listedWhere(context, { open: () => wholeList(batches), source, now: now() }, view, { where, limit: undefined })
  return {
    ...result,
    async conclude() {
      await result.conclude()
      if (!options.requireAll) named.report()
    },
  }
}

function sourceIn(context: Context, options: Options) {
  const { emailsFrom, distinctIdsFrom, column, unmatched, requireAll, where, all, ...others } = options
  refuseListOptions(options)
  const source = personsOf(options)
  if (!source || (emailsFrom !== undefined && distinctIdsFrom !== undefined)) {
    throw new UsageError('Persons come from one list', { hint: 'Give --emails-from or --distinct-ids-from' })
  }
  const hint = 'Leave one of them out; --where selects among its persons'
  refuseBeside('A list of persons is printed whole', others, hint)
  refuseSameFile(context, {
    '--emails-from': emailsFrom,
    '--distinct-ids-from': distinctIdsFrom,
    '--unmatched': unmatched,
  })
  if (unmatched !== undefined) checkWritable(resolve(context.host.cwd, unmatched), '--unmatched')
  return source
}

/** Two lines may name one person. With `--require-all` there is no row before all lines are looked up. */
async function* rowsOf(
  named: NamedPersons,
  connection: Connection,
  { requireAll }: Pick<Options, 'requireAll'>,
): AsyncGenerator<readonly Item[]> {
  const seen = new Set<string>()
  const held: Item[] = []
  for await (const lines of named.find(connection, concurrency)) {
    const found = lines.flatMap(line => line.persons).filter(({ id }) => seen.size < seen.add(id).size)
    const rows = found.map(({ row }) => row)
    if (requireAll) held.push(...rows)
    else if (rows.length > 0) yield rows
  }
  if (!requireAll) return
  named.report()
  if (held.length > 0) yield held
}
