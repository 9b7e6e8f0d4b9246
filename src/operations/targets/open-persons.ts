/** Reads lists that choose targets, and trusts no filter that the service may have ignored. */
import { idOf } from '../../api/answers/answered-id.ts'
import type { Client } from '../../api/client.ts'
import { type Endpoint, persons } from '../../api/endpoints.ts'
import { type List, list } from '../../api/pages.ts'
import { holdsFirstIds } from '../../api/select-rows.ts'
import type { Connection } from '../../cli/command.ts'
import { RefusedError, RejectedError, UsageError } from '../../errors.ts'
import { doubtIn, type Filter } from '../../filters/filter.ts'
import { type PersonFilter, personMatcher, personQuery } from '../../filters/person-filter.ts'
import type { Item } from '../../json/item.ts'
import { collections, type TargetCollection } from '../collections.ts'

/** All rows of a list; throws `RejectedError` where the service leads back to a page already read. */
export function openWhole(
  client: Client,
  collection: TargetCollection,
  path: object,
  query: object,
  hint = 'Nothing was changed; give the ids as arguments, or in a file with --from FILE',
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

/** Throws `UsageError` for a negative filter by a doubtful name or value of a property that no person has. */
export async function refuseUnheld(
  connection: Pick<Connection, 'client' | 'project'>,
  filters: readonly Filter[],
  hint?: string,
): Promise<void> {
  for (const doubt of filters.flatMap(filter => doubtIn(filter) ?? [])) {
    if (!(await isEmpty(openPersons(connection, { property: [doubt] }, { limit: 1, hint })))) continue
    const name = JSON.stringify(doubt.key)
    const [what, check] =
      doubt.operator === 'is_set'
        ? [`a property ${name}`, 'name in --property; is a variable of your shell not set?']
        : [`the value that is given for ${name}`, 'quotes in --property']
    throw new UsageError(`No person has ${what}, so the filter excludes nobody`, { hint: `Check the ${check}` })
  }
}

async function isEmpty({ batches }: List): Promise<boolean> {
  for await (const batch of batches) if (batch.length > 0) return false
  return true
}

function ignored(
  id: string,
  where: string,
  hint = 'Nothing was changed. Find the ids with analytics persons list, and give them as arguments, or in a file with --from FILE',
): RefusedError {
  return new RefusedError(`The server ignored the filter:${where} it answered with person ${id}, who does not match`, {
    hint,
  })
}
