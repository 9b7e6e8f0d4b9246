import { list } from '../api/pages.ts'
import { idOf } from '../api/responses/record-identity.ts'
import type { Connection, Context } from '../context.ts'
import { checkRows, conditionOf, type RowCheck } from '../filters/check-rows.ts'
import type { Filter } from '../filters/filter.ts'
import { isServerChecked, type PersonFilter, personConditions, personQuery } from '../filters/person-filter.ts'
import { textAt } from '../json/exact.ts'
import { type CollectionSpec, collectionOf, collections, pathIn, type TargetIds } from '../operations/collections.ts'
import type { Targets } from './source.ts'

interface RowFilters {
  readonly filter: PersonFilter
  /** Filters in the service's own format, which replace the others in the request. */
  readonly serverFilters: readonly Filter[] | undefined
  readonly offset: number | undefined
}

export function rowCheckOf(
  { client, now }: Pick<Connection, 'client' | 'now'>,
  { read, list: { of }, name: collection }: CollectionSpec,
  path: object,
  { filter, serverFilters, offset }: RowFilters,
): RowCheck {
  const isSent = (one: Filter) => collection === 'persons' && serverFilters === undefined && isServerChecked(one)
  return checkRows({
    conditions: [
      ...personConditions(filter),
      ...filter.where.map(one => conditionOf(one, now(), isSent(one))),
      ...(serverFilters ?? []).map(one => conditionOf(one, now(), true)),
    ],
    typedKeys: filter.where.map(({ key }) => key),
    documented: Object.keys(of),
    offset,
    readWhole: row => client.record(read, { path: { ...path, id: idOf(row.value, collection) } }),
  })
}

export async function findByFilter(
  { messages }: Context,
  connection: Connection,
  kind: TargetIds,
  filter: PersonFilter,
): Promise<Targets> {
  const { client } = connection
  const facts: CollectionSpec = collections[collectionOf(kind)]
  const path = await pathIn(connection, facts)
  const check = rowCheckOf(connection, facts, path, { filter, serverFilters: undefined, offset: 0 })
  const request = client.request(facts.list, { path, query: { ...personQuery(filter), limit: facts.largePage } })
  // A row that shifts between pages may be listed twice.
  const uuids = new Map<string, string | undefined>()
  for await (const rows of list(client, request, { follow: true, isStrict: true, keep: check.keep }).batches) {
    for (const { value } of rows) uuids.set(idOf(value, kind), textAt(value, 'uuid'))
  }
  check.end()
  const warning = check.ignoredWarning()
  if (warning !== undefined) messages.warn(warning)
  return { ...withUuids(uuids), input: null }
}

export function withUuids(
  uuids: Iterable<readonly [id: string, uuid: string | undefined]>,
): Pick<Targets, 'ids' | 'uuids'> {
  const ids: string[] = []
  const others: (string | null)[] = []
  for (const [id, uuid] of uuids) {
    ids.push(id)
    others.push(uuid === undefined || uuid === id ? null : uuid)
  }
  return { ids, uuids: others.some(uuid => uuid !== null) ? others : undefined }
}
