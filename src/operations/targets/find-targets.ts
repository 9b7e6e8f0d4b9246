/** Finds the ids of all targets by filters, before the first target is changed. */
import type { Client } from '../../api/client.ts'
import { type Endpoint, persons } from '../../api/endpoints.ts'
import { type List, list } from '../../api/pages.ts'
import { holdsFirstIds, rowSource, selectRows } from '../../api/select-rows.ts'
import type { Connection } from '../../cli/command.ts'
import { RefusedError, RejectedError, UsageError } from '../../errors.ts'
import { type Filter, isDoubtful } from '../../filters/filter.ts'
import { fixPersonTimes, type PersonFilter, personMatcher, personQuery } from '../../filters/person-filter.ts'
import { TargetCollector } from '../../jobs/target-collector.ts'
import type { Targets } from '../../jobs/target-list.ts'
import type { Item } from '../../json/item.ts'
import { compile, kindOf, textOf } from '../../json/pick.ts'
import { idForms, isId } from '../../values/ids.ts'
import { type CollectionFacts, collections, pathIn, type TargetCollection } from '../collections.ts'

/** `where`: filters that only this program checks. */
export interface TargetFilter extends PersonFilter {
  readonly where: readonly Filter[]
}

/** Throws `RefusedError` where the service ignored a filter, `UsageError` for a field or property that no object has. */
export async function findTargets(
  connection: Connection,
  collection: TargetCollection,
  filter: TargetFilter,
): Promise<Targets> {
  const { client } = connection
  const now = connection.now()
  const facts: CollectionFacts = collections[collection]
  const path = await pathIn(connection, facts)
  const fixed = fixPersonTimes(filter, now)
  const limit = facts.largePage
  if (collection === 'persons') await refuseUnheld(connection, fixed.property)
  const rows =
    collection === 'persons'
      ? openPersons(connection, fixed, { limit })
      : openWhole(client, collection, path, { limit })
  if (filter.where.length === 0) return idsOf(rows, collection, client)
  const source = rowSource(client, facts.list, path, filter.where)
  return idsOf(selectRows(rows, { filters: filter.where, source, now }), collection, client)
}

/** Throws `UsageError` for a negative filter by a doubtful name of a property that no person has. */
export async function refuseUnheld(
  connection: Pick<Connection, 'client' | 'project'>,
  filters: readonly Filter[],
  hint?: string,
): Promise<void> {
  for (const { key } of filters.filter(isDoubtful)) {
    const isSet: PersonFilter = { property: [{ key, operator: 'is_set', values: [] }] }
    if (await isEmpty(openPersons(connection, isSet, { limit: 1, hint }))) {
      throw new UsageError(`No person has a property ${JSON.stringify(key)}, so the filter excludes nobody`, {
        hint: 'Check the name in --property; is a variable of your shell not set?',
      })
    }
  }
}

async function isEmpty({ batches }: List): Promise<boolean> {
  for await (const batch of batches) if (batch.length > 0) return false
  return true
}

/** `line`: where the name is in the list, for the message that the service ignored it. */
export async function findNamed(
  connection: Pick<Connection, 'client' | 'project'>,
  filter: PersonFilter,
  line: number,
): Promise<readonly string[]> {
  return [
    ...(await idsOf(openPersons(connection, filter, { where: ` for line ${line}` }), 'persons', connection.client)),
  ]
}

/** All rows of a list; throws `RejectedError` where the service leads back to a page already read. */
export function openWhole(
  client: Client,
  collection: TargetCollection,
  path: object,
  query: object,
  hint = 'Nothing was changed; give the ids with --from',
): List {
  const endpoint: Endpoint = collections[collection].list
  return list(client, client.request(endpoint, { path, query }), {
    follow: true,
    onRepeat() {
      // Pages that repeat would hide the targets after them.
      throw new RejectedError('The service led back to a page already read: the list has no end', { hint })
    },
  })
}

interface PersonReading {
  /** Rows per request. */
  readonly limit?: number
  /** Where the name is in the list, for the message. */
  readonly where?: string
  /** What helps where the list cannot be trusted. */
  readonly hint?: string | undefined
  /** Receives each record that the check had to read, with the id of its row. */
  readonly onRecord?: (id: string, record: Item) => void
}

/** Checks every row: servers ignore a filter that they do not understand and answer with everyone. */
export function openPersons(
  { client, project }: Pick<Connection, 'client' | 'project'>,
  filter: PersonFilter,
  { limit, where = '', hint, onRecord }: PersonReading = {},
): List {
  const path = { project_id: project() }
  const rows = openWhole(client, 'persons', path, { ...personQuery(filter), limit }, hint)
  const matches = personMatcher(filter)
  async function isMeant(item: Item): Promise<boolean> {
    if (matches(item)) return true
    if (!holdsFirstIds(item)) return false
    const id = idOf(item, 'persons')
    const record = await client.record(persons.get, { path: { ...path, id } })
    onRecord?.(id, record)
    return matches(record)
  }
  async function* batches() {
    for await (const batch of rows.batches) {
      for (const item of batch) if (!(await isMeant(item))) throw ignored(idOf(item, 'persons'), where, hint)
      yield batch
    }
  }
  return { batches: batches(), seen: rows.seen }
}

async function idsOf({ batches }: List, collection: TargetCollection, client: Client): Promise<Targets> {
  const ids = new TargetCollector()
  for await (const batch of batches) {
    for (const item of batch) {
      const id = idOf(item, collection)
      ids.add(id)
      if (collection === 'projects') client.keepSecrets(id, item)
    }
    if (ids.size > mostIds) throw tooMany()
  }
  return ids.list()
}

const { pick } = compile(['id'])

function idOf(item: Item, collection: TargetCollection): string {
  const [id] = pick(item)
  return checkAnsweredId(id, collection)
}

/** Throws `RejectedError` for an answer that is no id. */
export function checkAnsweredId(id: Item | undefined, collection: TargetCollection): string {
  const isText = id && (kindOf(id) === 'string' || kindOf(id) === 'number')
  if (isText && isId(collection, textOf(id))) return textOf(id)
  const { of, is } = idForms[collection]
  throw new RejectedError(`Unexpected response: ${of} without an id that is ${is}`, { hint: 'Check the base URL' })
}

/** About what fits in memory; a longer list may have no end. */
const mostIds = 5_000_000

function tooMany(): RefusedError {
  return new RefusedError('The filter selects more than 5,000,000 objects: nothing was changed', {
    hint: 'Select fewer, and do it in several runs',
  })
}

function ignored(
  id: string,
  where: string,
  hint = 'Nothing was changed; look with analytics persons list, and give the ids with --from',
): RefusedError {
  return new RefusedError(`The server ignored the filter:${where} it answered with person ${id}, who does not match`, {
    hint,
  })
}
