import { persons as endpoints, newer } from '../api/endpoints.ts'
import { list } from '../api/pages.ts'
import { idOf } from '../api/responses/record-identity.ts'
import type { Connection } from '../context.ts'
import { Failure, RejectedError, UnavailableError } from '../errors.ts'
import { holdsFirstIds } from '../filters/check-rows.ts'
import type { Filter } from '../filters/filter.ts'
import { distinctIdsIn, emailOf, isServerChecked, personQuery } from '../filters/person-filter.ts'
import { isObject, type Json, textAt } from '../json/exact.ts'
import { type Item, sliceObject } from '../json/read-item.ts'
import { collections } from '../operations/collections.ts'
import { finderOf, inBatches, mostQueryBytes, type NameLookup, tryLookup } from './lookup.ts'
import { lineLabel, type NameList } from './read-names.ts'
import { type NameKind, nameKinds } from './source.ts'

export type PersonReader = Pick<Connection, 'client' | 'project'>

/** If a lookup fails, the error names the line. */
export function personFinder(
  reader: PersonReader,
  list: NameList,
  /** `isShown`: the rows are shown, and need all distinct ids. */
  { concurrency, isShown }: { readonly concurrency: number; readonly isShown: boolean },
) {
  const { by } = list
  const many = by === 'email' ? emails(reader) : distinctIds(reader, isShown)
  const rest: NameLookup = {
    batchesOf: names => inBatches(names, 1),
    async find([name = ''], add) {
      const rows = await findAlone(reader, name, by).catch((error: unknown) => {
        throw error instanceof Failure ? error.reworded(`${lineLabel(list, name)}${error.message}`) : error
      })
      for (const row of rows) add(name, row)
      return true
    },
  }
  // The id of one person may be a number in one response and a UUID in another.
  const keyOf = ({ value }: Item) => textAt(value, 'uuid') ?? idOf(value, 'persons')
  return finderOf({ many, rest, keyOf }, concurrency)
}

function emails(reader: PersonReader): NameLookup {
  return {
    batchesOf(names) {
      // Servers ignore a blank value, and read numbers in different ways.
      const usable = names.filter(name => name.trim() !== '' && isServerChecked(emailIs([name])))
      return names.length === 1 ? [] : inBatches(usable, Number.POSITIVE_INFINITY, mostQueryBytes)
    },
    async find(names, add) {
      const lowerCase = new Set(names.map(name => name.toLowerCase()))
      const found = await tryLookup(async () => {
        const matches: Item[] = []
        for await (const rows of rowsBy(reader, personQuery({ where: [emailIs(names)] }))) {
          const isRequested = ({ value }: Item) =>
            namesIn(value, 'email').some(email => lowerCase.has(email.toLowerCase()))
          if (!rows.every(isRequested)) return undefined
          matches.push(...rows)
        }
        return matches
      })
      for (const row of found ?? []) {
        for (const email of namesIn(row.value, 'email')) if (names.includes(email)) add(email, row)
      }
      return found !== undefined
    },
  }
}

function emailIs(values: readonly string[]): Filter {
  return { key: 'properties.email', operator: 'exact', values }
}

/** The most names that `batch_by_distinct_ids` looks up, and the most distinct ids of a person that it returns. */
export const mostAtOnce = 200
const mostReturned = 10

function distinctIds(reader: PersonReader, isShown: boolean): NameLookup {
  return {
    batchesOf: names => (names.length === 1 ? [] : inBatches(names, mostAtOnce)),
    async find(names, add) {
      const owners = await findOwners(reader, names)
      if (typeof owners === 'string') return false
      for (const [name, row] of owners) if (!isShown || !holdsFirstIds(row.value, mostReturned)) add(name, row)
      return true
    },
  }
}

/**
 * Returns the person of each distinct id, of at most 200. An id that is missing may still belong to a person.
 * `not offered`: the server has no such lookup. `in doubt`: the lookup failed, or returned other persons.
 */
export async function findOwners(
  reader: PersonReader,
  names: readonly string[],
): Promise<ReadonlyMap<string, Item> | 'not offered' | 'in doubt'> {
  let isOffered = false
  const owners = await tryLookup(async () => {
    const { client, project } = reader
    const request = client.request(newer.batchByDistinctIds, {
      path: { project_id: project() },
      body: { distinct_ids: names },
    })
    const { item } = await client.response(request).catch(error => {
      isOffered = error instanceof UnavailableError
      throw error
    })
    const results = item && sliceObject(item).get('results')
    if (!results || !isObject(results.value)) return undefined
    isOffered = true
    const found = new Map<string, Item>()
    for (const [name, row] of sliceObject(results)) {
      if (!names.includes(name)) return undefined
      idOf(row.value, 'persons')
      const own = await allNamesOf(reader, row, name, 'distinctId', mostReturned)
      if (own.includes(name)) found.set(name, row)
      else if (!own.some(one => isSameIgnoringCase(one, name))) return undefined
    }
    return found
  })
  return owners ?? (isOffered ? 'in doubt' : 'not offered')
}

/** Throws `RejectedError` if the server returns a person with another name. */
export async function findAlone(reader: PersonReader, name: string, by: NameKind): Promise<readonly Item[]> {
  const found: Item[] = []
  for await (const rows of rowsBy(reader, personQuery({ [by]: name, where: [] }))) {
    for (const row of rows) {
      const names = await allNamesOf(reader, row, name, by)
      if (names.includes(name)) found.push(row)
      else if (!names.some(one => isSameIgnoringCase(one, name))) {
        throw new RejectedError(
          `The server returned person ${idOf(row.value, 'persons')}, whose ${nameKinds[by].label} is different`,
          { hint: 'The server may ignore the filter. Nothing was changed. Use ids instead' },
        )
      }
    }
  }
  return found
}

/** Reads the person if the row may hold only the first distinct ids, and the name is not among them. */
export async function allNamesOf(
  { client, project }: PersonReader,
  { value }: Item,
  name: string,
  by: NameKind,
  mostIds?: number,
): Promise<readonly string[]> {
  const names = namesIn(value, by)
  if (by === 'email' || names.includes(name) || !holdsFirstIds(value, mostIds)) return names
  const path = { project_id: project(), id: idOf(value, 'persons') }
  return namesIn((await client.record(endpoints.get, { path })).value, by)
}

export async function* rowsBy({ client, project }: PersonReader, query: object): AsyncGenerator<readonly Item[]> {
  const whole = { ...query, limit: collections.persons.largePage }
  const request = client.request(endpoints.list, { path: { project_id: project() }, query: whole })
  for await (const rows of list(client, request, { follow: true, isStrict: true }).batches) {
    // Throws here for an invalid id, so that the error names the line.
    for (const { value } of rows) idOf(value, 'persons')
    yield rows
  }
}

export function namesIn(person: Json, by: NameKind): readonly string[] {
  if (!isObject(person)) return []
  const names = by === 'email' ? [emailOf(person)] : distinctIdsIn(person)
  return names.filter(name => typeof name === 'string')
}

export function isSameIgnoringCase(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
