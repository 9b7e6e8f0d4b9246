import { persons as endpoints, newer } from '../api/endpoints.ts'
import { list } from '../api/pages.ts'
import { idOf } from '../api/responses/record-identity.ts'
import type { Connection } from '../context.ts'
import { Failure, RejectedError, UnavailableError } from '../errors.ts'
import { holdsFirstIds } from '../filters/check-rows.ts'
import type { Filter } from '../filters/filter.ts'
import { isServerChecked, namesIn, personConditions, personQuery } from '../filters/person-filter.ts'
import { batchesOf, runParallel } from '../jobs/run-parallel.ts'
import { isObject, textAt } from '../json/exact.ts'
import { type Item, sliceObject } from '../json/read-item.ts'
import { collections } from '../operations/collections.ts'
import { firstOf } from '../text/grouped.ts'
import { finderOf, type NameLookup, queryBatches, tryLookup } from './lookup.ts'
import { type NameList, nameKinds } from './read-names.ts'
import type { PersonName } from './source.ts'

export type PersonReader = Pick<Connection, 'client' | 'project'>

/** If a lookup fails, the error names the line. */
export function personFinder(
  reader: PersonReader,
  list: NameList,
  /** `isShown`: the rows are shown, and need all distinct ids. */
  { concurrency, isShown }: { readonly concurrency: number; readonly isShown: boolean },
) {
  const { by } = list
  return finderOf(
    {
      many: by === 'email' ? emails(reader) : distinctIds(reader, isShown),
      findRest: (names, add) =>
        runParallel(names, concurrency, async name => {
          const rows = await findAlone(reader, { by, name }).catch((error: unknown) => {
            throw error instanceof Failure ? error.reworded(`${lineLabel(list, name)}${error.message}`) : error
          })
          for (const row of rows) add(name, row)
        }),
      // The id of one person may be a number in one response and a UUID in another.
      keyOf: ({ value }) => textAt(value, 'uuid') ?? idOf(value, 'persons'),
    },
    concurrency,
  )
}

function lineLabel({ where, unit, firstLines }: NameList, name: string): string {
  return where === undefined ? '' : `${where}, ${unit} ${firstLines.get(name)}: `
}

function emails(reader: PersonReader): NameLookup {
  return {
    batchesOf(names) {
      // Servers ignore a blank value, and read numbers in different ways.
      const usable = names.filter(name => name.trim() !== '' && isServerChecked(emailIs([name])))
      return names.length === 1 ? [] : queryBatches(usable)
    },
    async find(names, add) {
      const lowerCase = new Set(names.map(name => name.toLowerCase()))
      const isRequested = ({ value }: Item) => namesIn(value, 'email').some(email => lowerCase.has(email.toLowerCase()))
      const found: Item[] = []
      for await (const rows of rowsBy(reader, personQuery({ where: [emailIs(names)] }))) {
        if (!rows.every(isRequested)) return false
        found.push(...rows)
      }
      for (const row of found)
        for (const email of namesIn(row.value, 'email')) if (names.includes(email)) add(email, row)
      return true
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
    batchesOf: names => (names.length === 1 ? [] : batchesOf(names, mostAtOnce)),
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
export async function findOwners(reader: PersonReader, names: readonly string[]) {
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
      const own = await allNamesOf(reader, row, { by: 'distinctId', name }, mostReturned)
      if (own.includes(name)) found.set(name, row)
      else if (!own.some(one => isSameIgnoringCase(one, name))) return undefined
    }
    return found
  })
  return owners ?? (isOffered ? 'in doubt' : 'not offered')
}

/** Throws `RejectedError` if the server returns a person with another name. */
export async function findAlone(reader: PersonReader, { by, name }: PersonName): Promise<readonly Item[]> {
  const found: Item[] = []
  for await (const rows of rowsBy(reader, personQuery({ [by]: name, where: [] }))) {
    for (const row of rows) {
      const names = await allNamesOf(reader, row, { by, name })
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

export interface Similar {
  readonly reason: 'not-found' | 'other-case' | 'blanks'
  readonly persons: readonly string[]
  /** The end of a message. */
  readonly hint: string
}

/** Finds persons whose name differs only in capitalization or in the spaces around it. */
export async function findSimilar(reader: PersonReader, { by, name }: PersonName): Promise<Similar> {
  const search = name.trim()
  const [isSearched] = personConditions({ search, where: [] })
  const found = await tryLookup(async () => {
    for await (const rows of rowsBy(reader, { search })) {
      const same = rows.filter(({ value }) => namesIn(value, by).some(one => isSameIgnoringCase(one, search)))
      if (same.length > 0) return same
      // A server that ignores the search would list all persons.
      if (rows.some(({ value }) => !isObject(value) || !isSearched?.isMetBy(value))) return undefined
    }
    return undefined
  })
  if (!found) return { reason: 'not-found', persons: [], hint: '' }
  const persons = found.map(({ value }) => idOf(value, 'persons'))
  const have = persons.length === 1 ? `Person ${persons[0]} has` : `Persons ${firstOf(persons, 3)} have`
  const isExact = search !== name && found.some(({ value }) => namesIn(value, by).includes(search))
  return isExact
    ? { reason: 'blanks', persons, hint: `. ${have} it without the spaces around it.` }
    : { reason: 'other-case', persons, hint: `. ${have} it with different capitalization.` }
}

/** Reads the person if the row may hold only the first distinct ids, and the name is not among them. */
export async function allNamesOf(
  { client, project }: PersonReader,
  { value }: Item,
  { by, name }: PersonName,
  mostIds?: number,
): Promise<readonly string[]> {
  const names = namesIn(value, by)
  if (by === 'email' || names.includes(name) || !holdsFirstIds(value, mostIds)) return names
  const path = { project_id: project(), id: idOf(value, 'persons') }
  return namesIn((await client.record(endpoints.get, { path })).value, by)
}

async function* rowsBy({ client, project }: PersonReader, query: object): AsyncGenerator<readonly Item[]> {
  const whole = { ...query, limit: collections.persons.largePage }
  const request = client.request(endpoints.list, { path: { project_id: project() }, query: whole })
  for await (const rows of list(client, request, { follow: true, isStrict: true }).batches) {
    // Throws here for an invalid id, so that the error names the line.
    for (const { value } of rows) idOf(value, 'persons')
    yield rows
  }
}

function isSameIgnoringCase(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
