/**
 * Finds persons by e-mail or distinct id. E-mails are asked for many at a time, which is only a hint: a name that nobody has in
 * such an answer is asked for alone.
 */
import { idOf } from '../api/answers/record-identity.ts'
import { persons as endpoints } from '../api/endpoints.ts'
import type { Connection } from '../context.ts'
import { AuthError, Failure, InterruptedError, RateLimitedError, RejectedError } from '../errors.ts'
import { holdsFirstIds } from '../filters/check-rows.ts'
import type { Filter } from '../filters/filter.ts'
import { distinctIdsIn, emailOf, personConditions, personQuery } from '../filters/person-filter.ts'
import { isSent } from '../filters/service-form.ts'
import { runParallel } from '../jobs/run-parallel.ts'
import { isObject, type Json } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import { collections } from '../operations/collections.ts'
import { openWhole } from './open-whole.ts'
import type { NameKind } from './source.ts'

export type PersonReader = Pick<Connection, 'client' | 'project'>

export interface SoughtName {
  readonly text: string
  /** For messages, such as `--emails-from list, line 3: `. */
  readonly at: string
}

interface LookUp<T> {
  readonly by: NameKind
  readonly concurrency: number
  /** What is kept of a person. */
  readonly keep: (row: Item) => T
}

/** Of each name the persons who have it, by id. Throws with the line of a look-up that fails. */
export async function findPersons<T>(
  reader: PersonReader,
  names: readonly SoughtName[],
  { by, concurrency, keep }: LookUp<T>,
): Promise<ReadonlyMap<string, ReadonlyMap<string, T>>> {
  const found = new Map<string, Map<string, T>>()
  const add = (name: string, row: Item) => {
    const own = found.get(name) ?? new Map<string, T>()
    found.set(name, own.set(idOf(row.value, 'persons'), keep(row)))
  }
  const left = () => names.filter(({ text }) => !found.has(text))
  if (by === 'email' && names.length > 1) {
    let isUnderstood = true
    const askTogether = async (batch: readonly string[]) => {
      const rows = isUnderstood ? await findTogether(reader, batch) : undefined
      isUnderstood &&= rows !== undefined
      for (const [name, row] of rows ?? []) add(name, row)
    }
    const [first = [], ...others] = cutInBatches(names)
    // The first answer tells whether the service knows a list of values.
    await askTogether(first)
    await runParallel(others, concurrency, askTogether)
  }
  await runParallel(left(), concurrency, async name => {
    for (const row of await findAlone(reader, name, by)) add(name.text, row)
  })
  return found
}

/** Bytes of the encoded e-mails of a request: some servers take a first line of at most 4,094. */
const longest = 3000

const mostTogether = 500

function cutInBatches(names: readonly SoughtName[]): readonly (readonly string[])[] {
  const batches: string[][] = []
  let length = Number.POSITIVE_INFINITY
  for (const { text } of names) {
    // What is asked for alone: servers take a blank value for none, and a number in different ways.
    if (text.trim() === '' || !isSent(exactly([text]))) continue
    const own = encodeURIComponent(JSON.stringify(`${text},`)).length
    if (length + own > longest || batches.at(-1)?.length === mostTogether) {
      batches.push([])
      length = 0
    }
    batches.at(-1)?.push(text)
    length += own
  }
  return batches
}

function exactly(values: readonly string[]): Filter {
  return { key: 'properties.email', operator: 'exact', values }
}

/** Undefined where the service does not take a list of values, and for an answer that may be about something else. */
async function findTogether(
  { client, project }: PersonReader,
  emails: readonly string[],
): Promise<readonly (readonly [name: string, row: Item])[] | undefined> {
  const asked = new Set(emails)
  const inAnyCase = new Set(emails.map(email => email.toLowerCase()))
  const query = { ...personQuery({ where: [exactly(emails)] }), limit: collections.persons.largePage }
  const found: [string, Item][] = []
  try {
    for await (const rows of openWhole(client, 'persons', { project_id: project() }, query).batches) {
      for (const row of rows) {
        const [email = ''] = namesOf(row.value, 'email')
        if (asked.has(email)) found.push([email, row])
        else if (!inAnyCase.has(email.toLowerCase())) return undefined
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
export async function findAlone(
  reader: PersonReader,
  { text, at }: SoughtName,
  by: NameKind,
): Promise<readonly Item[]> {
  const { client } = reader
  const path = { project_id: reader.project() }
  const query = { ...personQuery({ [by]: text, where: [] }), limit: collections.persons.largePage }
  const found: Item[] = []
  try {
    for await (const rows of openWhole(client, 'persons', path, query).batches) {
      for (const row of rows) {
        const id = idOf(row.value, 'persons')
        const hasAll = namesOf(row.value, by).includes(text) || by === 'email' || !holdsFirstIds(row.value)
        const names = namesOf(
          hasAll ? row.value : (await client.record(endpoints.get, { path: { ...path, id } })).value,
          by,
        )
        if (names.includes(text)) found.push(row)
        else if (!names.some(name => name.toLowerCase() === text.toLowerCase())) throw answeredWith(id, by)
      }
    }
    return found
  } catch (error) {
    throw error instanceof Failure && at !== '' ? error.reworded(`${at}${error.message}`) : error
  }
}

function answeredWith(id: string, by: NameKind): RejectedError {
  return new RejectedError(`The service answered with person ${id}, who has another ${nameOfKind[by]}`, {
    hint: 'The server may ignore the filter. Nothing was changed; give ids',
  })
}

export const nameOfKind = { email: 'e-mail', distinctId: 'distinct id' } as const

/** The ids of those who have a name in other upper and lower case, as far as a search of the service finds them. */
export async function findInOtherCase(reader: PersonReader, text: string, by: NameKind): Promise<readonly string[]> {
  const [isSearched] = personConditions({ search: text, where: [] })
  const query = { search: text, limit: 100 }
  try {
    for await (const rows of openWhole(reader.client, 'persons', { project_id: reader.project() }, query).batches) {
      const same = rows.filter(({ value }) => {
        return namesOf(value, by).some(name => name !== text && name.toLowerCase() === text.toLowerCase())
      })
      if (same.length > 0) return same.map(({ value }) => idOf(value, 'persons'))
      // A server that ignores the search would list everyone.
      if (rows.some(({ value }) => !isObject(value) || !isSearched?.isMetBy(value))) return []
    }
  } catch (error) {
    if (isFinal(error)) throw error
  }
  return []
}

function namesOf(person: Json, by: NameKind): readonly string[] {
  if (!isObject(person)) return []
  const names = by === 'email' ? [emailOf(person)] : distinctIdsIn(person)
  return names.filter(name => typeof name === 'string')
}
