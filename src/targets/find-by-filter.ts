import { idOf } from '../api/answers/record-identity.ts'
import type { Connection, Context } from '../context.ts'
import { checkRows, type RowCheck } from '../filters/check-rows.ts'
import type { Filter } from '../filters/filter.ts'
import { type PersonFilter, personConditions, personQuery } from '../filters/person-filter.ts'
import { isSent } from '../filters/service-form.ts'
import { type CollectionFacts, collectionOf, collections, pathIn, type TargetIds } from '../operations/collections.ts'
import { openWhole } from './open-whole.ts'

/** How each row of a list is checked. */
export function rowCheckOf(
  { client, now }: Pick<Connection, 'client' | 'now'>,
  facts: CollectionFacts,
  path: object,
  {
    filter,
    given,
    offset,
  }: { filter: PersonFilter; given?: readonly Filter[] | undefined; offset?: number | undefined },
): RowCheck {
  const fields = 'of' in facts.list.returns ? Object.keys(facts.list.returns.of.fields) : []
  const { read, collection } = facts
  return checkRows({
    conditions: personConditions(filter),
    given,
    where: filter.where,
    isAsked: one => collection === 'persons' && given === undefined && isSent(one),
    documented: fields,
    now: now(),
    offset,
    readWhole: row => client.record(read, { path: { ...path, id: idOf(row.value, collection) } }),
  })
}

/** Throws `UsageError` for a field that neither the document nor a row has. */
export async function findByFilter(
  { messages }: Context,
  connection: Connection,
  kind: TargetIds,
  filter: PersonFilter,
): Promise<readonly string[]> {
  const facts: CollectionFacts = collections[collectionOf(kind)]
  const path = await pathIn(connection, facts)
  const check = rowCheckOf(connection, facts, path, { filter })
  const query = { ...personQuery(filter), limit: facts.largePage }
  const ids = new Map<string, string>()
  for await (const rows of openWhole(connection.client, facts.collection, path, query, check.keep).batches) {
    for (const { value } of rows) {
      const id = idOf(value, kind)
      // Rows that shift between pages may come twice.
      ids.set(id.toLowerCase(), id)
    }
  }
  check.end()
  const ignored = check.ignored()
  if (ignored !== undefined) messages.warn(ignored)
  return [...ids.values()]
}
