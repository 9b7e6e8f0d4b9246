/**
 * Finds the persons of a list of names. E-mails are asked for many at a time, which is only a hint: a name without a
 * person in such an answer is looked up alone.
 */
import { idOf } from '../api/answers/record-identity.ts'
import { persons as endpoints } from '../api/endpoints.ts'
import { holdsFirstIds } from '../api/select-rows.ts'
import { Failure, RejectedError } from '../errors.ts'
import { knownPerson, personMatcher, personQuery } from '../filters/person-filter.ts'
import { runParallel } from '../jobs/run-parallel.ts'
import { textAt } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import { collections } from '../operations/collections.ts'
import { openPersons, openWhole, type PersonReader } from './list-persons.ts'
import type { NameKind } from './source.ts'

export interface ListedName {
  readonly text: string
  readonly line: number
}

/** Why a line does not name exactly one person. */
export type Why = 'nobody' | 'several' | 'other-case' | 'distinct-id'

export interface FoundLine extends ListedName {
  readonly persons: readonly FoundPerson[]
  readonly why: Why | undefined
}

interface FoundPerson {
  readonly id: string
  readonly row: Item
}

interface LookUp {
  readonly by: NameKind
  readonly concurrency: number
}

/** In the order of the names. Before the error of a request it yields the lines that were looked up until then. */
export async function* lookUp(
  reader: PersonReader,
  names: readonly ListedName[],
  { by, concurrency }: LookUp,
): AsyncGenerator<readonly FoundLine[]> {
  let isAskedTogether = by === 'email'
  // The first answer tells whether the service knows a list of values.
  let width = 1
  const batches = cutInBatches(reader, names)
  for (;;) {
    const together = take(batches, width)
    if (together.length === 0) return
    width = concurrency
    const found = new Map<ListedName, FoundLine>()
    try {
      if (isAskedTogether) {
        await runParallel(together, concurrency, async batch => {
          const lines = await findTogether(reader, batch)
          isAskedTogether &&= lines !== undefined
          for (const [name, rows] of lines ?? []) found.set(name, lineOf(name, rows))
        })
      }
      const left = together.flat().filter(name => !found.has(name))
      await runParallel(left, concurrency, async name => void found.set(name, await findAlone(reader, name, by)))
    } finally {
      yield together.flat().flatMap(name => found.get(name) ?? [])
    }
  }
}

function take<T>(source: Iterator<T>, most: number): readonly T[] {
  const taken: T[] = []
  while (taken.length < most) {
    const { done, value } = source.next()
    if (done) break
    taken.push(value)
  }
  return taken
}

/** Bytes of the first line of a request: some servers take no more than 4,094. */
const longestLine = 3500

const mostTogether = 500

/** So that a request for the e-mails of a batch has no longer line. */
function* cutInBatches(reader: PersonReader, names: readonly ListedName[]): Generator<readonly ListedName[]> {
  const least = lengthOf(reader, ['', ''])
  const around = '%22%22%2C'.length
  let batch: ListedName[] = []
  let length = least
  for (const name of names) {
    const own = lengthOf(reader, [name.text, '']) - least + around
    if (batch.length === mostTogether || (batch.length > 0 && length + own > longestLine)) {
      yield batch
      batch = []
      length = least
    }
    batch.push(name)
    length += own
  }
  if (batch.length > 0) yield batch
}

function lengthOf(reader: PersonReader, emails: readonly string[]): number {
  const { method, url } = reader.client.request(endpoints.list, {
    path: { project_id: reader.project() },
    query: together(emails),
  })
  return `${method} ${url.href} HTTP/1.1`.length
}

function together(emails: readonly string[]) {
  const property = [{ key: 'email', operator: 'exact', values: emails }] as const
  return { ...personQuery({ property }), limit: collections.persons.largePage }
}

type Rows = ReadonlyMap<string, Item>

/** Names without a person are left out. Undefined where the service does not take a list of values. */
async function findTogether(
  reader: PersonReader,
  batch: readonly ListedName[],
): Promise<ReadonlyMap<ListedName, Rows> | undefined> {
  // Servers take a blank value for none, and then answer everyone.
  const asked = batch.filter(({ text }) => text.trim() !== '')
  const found = new Map<ListedName, Map<string, Item>>()
  if (asked.length < 2) return found
  const names = new Map(asked.map(name => [name.text, name]))
  const query = together([...names.keys()])
  try {
    const { batches } = openWhole(reader.client, 'persons', { project_id: reader.project() }, query)
    for await (const rows of batches) {
      for (const row of rows) {
        const name = names.get(emailOf(row) ?? '')
        if (!name) return undefined
        const own = found.get(name) ?? new Map<string, Item>()
        found.set(name, own.set(idOf(row.value, 'persons'), row))
      }
    }
    return found
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}

/** The service answered, but not with the persons: it may do so for one name. */
function isRefusal(error: unknown): boolean {
  if (error instanceof RejectedError) return true
  const status = error instanceof Failure ? error.facts.status : undefined
  return status !== undefined && status !== 401 && status !== 429
}

/** Throws `RefusedError` if the service ignores the name. */
async function findAlone(reader: PersonReader, name: ListedName, by: NameKind): Promise<FoundLine> {
  const { text, line } = name
  const rows = new Map<string, Item>()
  const { batches } = openPersons(reader, { [by]: text, property: [] }, { where: ` for line ${line}` })
  for await (const batch of batches) for (const row of batch) rows.set(idOf(row.value, 'persons'), row)
  const isUnknown = rows.size === 0 && by === 'email'
  return lineOf(name, rows, isUnknown ? await otherUse(reader, text) : 'nobody')
}

function lineOf(name: ListedName, rows: Rows, otherwise: Why = 'nobody'): FoundLine {
  const why = rows.size === 0 ? otherwise : rows.size > 1 ? 'several' : undefined
  return { ...name, persons: Array.from(rows, ([id, row]) => ({ id, row })), why }
}

/** `email` is exact, but `search` ignores case and finds distinct ids. */
async function otherUse({ client, project }: PersonReader, email: string): Promise<Why> {
  const path = { project_id: project() }
  const isFound = personMatcher({ search: email, property: [] })
  const recordOf = (id: string) => client.record(endpoints.get, { path: { ...path, id } })
  let why: Why = 'nobody'
  const query = { search: email, limit: 100 }
  for await (const rows of openWhole(client, 'persons', path, query).batches) {
    if (rows.some(row => emailOf(row)?.toLowerCase() === email.toLowerCase())) return 'other-case'
    for (const row of rows) {
      const person = !isFound(row.value) && holdsFirstIds(row.value) ? await recordOf(idOf(row.value, 'persons')) : row
      // A server that ignores the search would return everyone, for every line.
      if (!isFound(person.value)) return why
      if (knownPerson(person.value).distinctIds.includes(email)) why = 'distinct-id'
    }
  }
  return why
}

function emailOf(person: Item): string | undefined {
  return textAt(person.value, 'properties.email')
}
