import { idOf } from '../../api/answers/answered-id.ts'
import type { Client } from '../../api/client.ts'
import { type Endpoint, persons } from '../../api/endpoints.ts'
import { type List, list } from '../../api/pages.ts'
import { holdsFirstIds } from '../../api/select-rows.ts'
import type { Connection } from '../../cli/command.ts'
import { RefusedError, RejectedError, UsageError } from '../../errors.ts'
import { doubtfulValue, type Filter, hasDoubtfulName } from '../../filters/filter.ts'
import { type PersonFilter, personMatcher, personQuery } from '../../filters/person-filter.ts'
import type { Item } from '../../json/item.ts'
import { collections, type TargetCollection } from '../collections.ts'

/** Reads all rows; throws `RejectedError` if `next` repeats a page. */
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
    refuseSamePages: true,
    onRepeat() {
      // Repeated pages would hide the targets after them.
      throw new RejectedError('The service led back to a page already read: the list has no end', { hint })
    },
  })
}

type Reader = Pick<Connection, 'client' | 'project'>

interface PersonReading {
  readonly limit?: number
  readonly where?: string
  readonly hint?: string | undefined
  /** Receives each record that the check had to read, with the id of its row. */
  readonly onRecord?: (id: string, record: Item) => void
}

/** Checks every row, since servers ignore a filter that they do not understand, and return everyone. */
export function openPersons(
  { client, project }: Reader,
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

/** Throws `UsageError` for a negative filter whose property may be a typing error, if no person has it. */
export async function refuseUnheldName(connection: Reader, filters: readonly Filter[], hint?: string): Promise<void> {
  for (const { key } of filters.filter(hasDoubtfulName)) {
    const isSet: Filter = { key, operator: 'is_set', values: [] }
    if (!(await isNobody(connection, isSet, hint))) continue
    throw unheld(`a property ${JSON.stringify(key)}`, 'name in --property; is a variable of your shell not set?')
  }
}

/** For a negative filter whose value may be a typing error, if no person has it. */
export async function unheldValue(connection: Reader, filters: readonly Filter[]): Promise<UsageError | undefined> {
  for (const doubt of filters.flatMap(filter => doubtfulValue(filter) ?? [])) {
    if (!(await isNobody(connection, doubt))) continue
    return unheld(`the value that is given for ${JSON.stringify(doubt.key)}`, 'quotes in --property')
  }
  return undefined
}

function unheld(what: string, check: string): UsageError {
  return new UsageError(`No person has ${what}, so the filter excludes nobody`, { hint: `Check the ${check}` })
}

async function isNobody(connection: Reader, filter: Filter, hint?: string): Promise<boolean> {
  const { batches } = openPersons(connection, { property: [filter] }, { limit: 1, hint })
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
