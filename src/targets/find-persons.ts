/**
 * Finds persons by e-mail or distinct id. E-mails are asked for many at a time, which is only a hint: a name that nobody has in
 * such an answer is asked for alone.
 */
import { idOf } from '../api/answers/record-identity.ts'
import { persons as endpoints } from '../api/endpoints.ts'
import { list } from '../api/pages.ts'
import type { Connection } from '../context.ts'
import { AuthError, Failure, InterruptedError, RateLimitedError, RejectedError } from '../errors.ts'
import { holdsFirstIds } from '../filters/check-rows.ts'
import type { Filter } from '../filters/filter.ts'
import { distinctIdsIn, emailOf, isServerChecked, personConditions, personQuery } from '../filters/person-filter.ts'
import { runParallel } from '../jobs/run-parallel.ts'
import { isObject, type Json } from '../json/exact.ts'
import type { Item } from '../json/read-item.ts'
import { collections } from '../operations/collections.ts'
import type { NameKind } from './source.ts'

export type PersonReader = Pick<Connection, 'client' | 'project'>

interface LookUp<T> {
  readonly by: NameKind
  readonly concurrency: number
  readonly keep: (row: Item) => T
  readonly at: (name: string) => string
}

/** Of each name the persons who have it, by id. Throws with the line of a look-up that fails. */
export async function findPersons<T>(
  reader: PersonReader,
  names: readonly string[],
  { by, concurrency, keep, at }: LookUp<T>,
): Promise<ReadonlyMap<string, ReadonlyMap<string, T>>> {
  const found = new Map<string, Map<string, T>>()
  const add = (name: string, row: Item) => {
    const own = found.get(name) ?? new Map<string, T>()
    found.set(name, own.set(idOf(row.value, 'persons'), keep(row)))
  }
  if (by === 'email' && names.length > 1) {
    let isUnderstood = true
    const askTogether = async (batch: readonly string[]) => {
      const rows = isUnderstood ? await findTogether(reader, batch) : undefined
      isUnderstood &&= rows !== undefined
      for (const row of rows ?? []) for (const name of namesOf(row.value, by)) if (batch.includes(name)) add(name, row)
    }
    const [first = [], ...others] = cutInBatches(names)
    // The first answer tells whether the service knows a list of values.
    await askTogether(first)
    await runParallel(others, concurrency, askTogether)
  }
  const left = names.filter(name => !found.has(name))
  await runParallel(left, concurrency, async name => {
    try {
      for (const row of await findAlone(reader, name, by)) add(name, row)
    } catch (error) {
      throw error instanceof Failure ? error.reworded(`${at(name)}${error.message}`) : error
    }
  })
  return found
}

/** Bytes of the encoded e-mails of a request: some servers take a first line of at most 4,094. */
const longest = 3000

/** Without those that are asked for alone: servers take a blank value for none, and a number in different ways. */
function cutInBatches(names: readonly string[]): readonly (readonly string[])[] {
  const batches: string[][] = []
  let length = longest
  for (const name of names) {
    if (name.trim() === '' || !isServerChecked(emailIs([name]))) continue
    const own = encodeURIComponent(JSON.stringify(`${name},`)).length
    if (length + own > longest) {
      batches.push([])
      length = 0
    }
    batches.at(-1)?.push(name)
    length += own
  }
  return batches
}

function emailIs(values: readonly string[]): Filter {
  return { key: 'properties.email', operator: 'exact', values }
}

/** Undefined where the service does not take a list of values, and for an answer that may be about something else. */
async function findTogether(reader: PersonReader, emails: readonly string[]): Promise<readonly Item[] | undefined> {
  const asked = new Set(emails.map(inAnyCase))
  const found: Item[] = []
  try {
    for await (const rows of rowsBy(reader, personQuery({ where: [emailIs(emails)] }))) {
      for (const row of rows) {
        if (!namesOf(row.value, 'email').some(email => asked.has(inAnyCase(email)))) return undefined
        found.push(row)
      }
    }
    return found
  } catch (error) {
    if (isFinal(error)) throw error
    return undefined
  }
}

/** Another request would end in the same way. */
function isFinal(error: unknown): boolean {
  const isOfAll = [AuthError, InterruptedError, RateLimitedError].some(one => error instanceof one)
  return isOfAll || !(error instanceof Failure)
}

/** Throws `RejectedError` if the service answers with somebody else. */
export async function findAlone(reader: PersonReader, name: string, by: NameKind): Promise<readonly Item[]> {
  const found: Item[] = []
  for await (const rows of rowsBy(reader, personQuery({ [by]: name, where: [] }))) {
    for (const row of rows) {
      const names = await allNamesOf(reader, row, name, by)
      if (names.includes(name)) found.push(row)
      else if (!names.some(one => inAnyCase(one) === inAnyCase(name))) throw answeredWith(row, by)
    }
  }
  return found
}

/** A list item may hold only the first of the distinct ids, so the person is read where the name is not among them. */
export async function allNamesOf(
  { client, project }: PersonReader,
  { value }: Item,
  name: string,
  by: NameKind,
): Promise<readonly string[]> {
  const names = namesOf(value, by)
  if (by === 'email' || names.includes(name) || !holdsFirstIds(value)) return names
  const path = { project_id: project(), id: idOf(value, 'persons') }
  return namesOf((await client.record(endpoints.get, { path })).value, by)
}

function answeredWith({ value }: Item, by: NameKind): RejectedError {
  const id = idOf(value, 'persons')
  return new RejectedError(`The service answered with person ${id}, who has another ${nameOfKind[by]}`, {
    hint: 'The server may ignore the filter. Nothing was changed; give ids',
  })
}

export const nameOfKind = { email: 'e-mail', distinctId: 'distinct id' } as const

/** The ids of those who have a name in other upper and lower case, as far as a search of the service finds them. */
export async function findInOtherCase(reader: PersonReader, text: string, by: NameKind): Promise<readonly string[]> {
  const [isSearched] = personConditions({ search: text, where: [] })
  try {
    for await (const rows of rowsBy(reader, { search: text })) {
      const isSame = ({ value }: Item) => namesOf(value, by).some(name => inAnyCase(name) === inAnyCase(text))
      const same = rows.filter(isSame)
      if (same.length > 0) return same.map(({ value }) => idOf(value, 'persons'))
      // A server that ignores the search would list everyone.
      if (rows.some(({ value }) => !isObject(value) || !isSearched?.isMetBy(value))) return []
    }
  } catch (error) {
    if (isFinal(error)) throw error
  }
  return []
}

async function* rowsBy({ client, project }: PersonReader, query: object): AsyncGenerator<readonly Item[]> {
  const whole = { ...query, limit: collections.persons.largePage }
  const request = client.request(endpoints.list, { path: { project_id: project() }, query: whole })
  for await (const rows of list(client, request, { follow: true, isStrict: true }).batches) {
    // The line of an id that is none is named too.
    for (const { value } of rows) idOf(value, 'persons')
    yield rows
  }
}

function namesOf(person: Json, by: NameKind): readonly string[] {
  if (!isObject(person)) return []
  const names = by === 'email' ? [emailOf(person)] : distinctIdsIn(person)
  return names.filter(name => typeof name === 'string')
}

function inAnyCase(name: string): string {
  return name.toLowerCase()
}
