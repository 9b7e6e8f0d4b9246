/** Whole lists of objects, and of persons only those who match the filter: some servers ignore what they do not know. */
import { idOf } from '../api/answers/record-identity.ts'
import type { Client } from '../api/client.ts'
import { type Endpoint, persons } from '../api/endpoints.ts'
import { type List, list, type Reading } from '../api/pages.ts'
import { holdsFirstIds } from '../api/select-rows.ts'
import type { Connection } from '../context.ts'
import { RefusedError, RejectedError, UsageError } from '../errors.ts'
import { isName, searchExcluded, type Unheld } from '../filters/excluded.ts'
import { type Condition, conditionsOf, knownPerson, type PersonFilter, personQuery } from '../filters/person-filter.ts'
import type { Item } from '../json/item.ts'
import { collections, type TargetCollection } from '../operations/collections.ts'
import { countOf } from '../text/grouped.ts'

export type PersonReader = Pick<Connection, 'client' | 'project'>

interface PersonChecking {
  /** Also keeps rows that newer servers find and that do not match here. */
  readonly wide?: boolean
  readonly where?: string
  readonly hint?: string | undefined
  /** Receives each record that the check had to read, with the id of its row. */
  readonly onRecord?: (id: string, record: Item) => void
}

interface PersonCheck {
  /** Leaves out rows that do not match. Throws `RefusedError` if the service ignores the filter. */
  keep(rows: readonly Item[]): Promise<readonly Item[]>
  kept(): number
  /** Says how many rows were left out; undefined if none. */
  leftOut(): string | undefined
  /** What negative filters exclude, and no row had. */
  unheld(): readonly Unheld[]
}

/** The filter's times must be fixed. */
export function checkPersons(
  reader: PersonReader,
  filter: PersonFilter,
  { wide = false, where = '', hint, onRecord }: PersonChecking = {},
): PersonCheck {
  const conditions = conditionsOf(filter)
  const excluded = searchExcluded(filter.property)
  const honest = new Set<Condition>()
  let kept = 0
  let leftOut = 0

  function unmetBy({ value }: Item): readonly Condition[] {
    const person = knownPerson(value)
    const { properties } = person
    if (properties)
      excluded.look(
        key => (Object.hasOwn(properties, key) ? properties[key] : undefined),
        () => Object.keys(properties),
      )
    return conditions.filter(({ isMetBy }) => !isMetBy(person))
  }

  async function isKept(item: Item): Promise<boolean> {
    let unmet = unmetBy(item)
    if (unmet.length > 0 && holdsFirstIds(item.value)) {
      const id = idOf(item.value, 'persons')
      const record = await reader.client.record(persons.get, { path: { project_id: reader.project(), id } })
      onRecord?.(id, record)
      unmet = unmetBy(record)
    }
    for (const condition of unmet) {
      if (honest.has(condition)) continue
      if (await isIgnored(reader, condition)) throw ignored(idOf(item.value, 'persons'), where, hint)
      honest.add(condition)
    }
    return unmet.every(({ isWide }) => wide && isWide)
  }

  return {
    async keep(rows) {
      const matching: Item[] = []
      for (const item of rows) if (await isKept(item)) matching.push(item)
      kept += matching.length
      leftOut += rows.length - matching.length
      return matching
    },
    kept: () => kept,
    leftOut() {
      if (leftOut === 0) return undefined
      const [who, is] = leftOut === 1 ? ['who does', 'is'] : ['who do', 'are']
      return `${countOf(leftOut, 'person', 'persons')} ${who} not match the filter ${is} left out`
    },
    unheld: excluded.unheld,
  }
}

/** Asks with a value that nobody can have: a server that knows the filter answers with no row. */
async function isIgnored(reader: PersonReader, condition: Condition): Promise<boolean> {
  return !(await isNobody(reader, condition.withValue(crypto.randomUUID()), async () => undefined))
}

/** What is wrong with a filter that excludes nobody; undefined if somebody has what it excludes. Throws `RefusedError` if the service ignores it. */
export async function faultOfUnheld(
  reader: PersonReader,
  unheld: Unheld,
  hint?: string,
): Promise<UsageError | undefined> {
  const asked = { property: [unheld.filter] }
  const isHeld = !(await isNobody(reader, asked, checkPersons(reader, asked, { hint }).keep))
  return isHeld ? undefined : unheldByPersons(unheld)
}

async function isNobody(
  { client, project }: PersonReader,
  filter: PersonFilter,
  onRow: (rows: readonly Item[]) => Promise<unknown>,
): Promise<boolean> {
  const query = { ...personQuery(filter), limit: 1 }
  const request = client.request(persons.list, { path: { project_id: project() }, query })
  const { batches } = list(client, request, { follow: true, isStrict: true })
  for await (const [row] of batches) {
    if (!row) continue
    await onRow([row])
    return false
  }
  return true
}

function unheldByPersons({ filter, near }: Unheld): UsageError {
  const key = JSON.stringify(filter.key)
  const what = isName(filter) ? `a property ${key}` : `the value that is given for ${key}`
  const suggestion = near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`
  const check = isName(filter) ? 'name' : 'quotes'
  return new UsageError(`No person has ${what}, so the filter excludes nobody${suggestion}`, {
    hint: `Check the ${check} in --property; is a variable of your shell not set?`,
  })
}

function ignored(
  id: string,
  where: string,
  hint = 'Nothing was changed. Choose with --where, which is only checked here, or give ids as arguments, or in a file with --from FILE',
): RefusedError {
  return new RefusedError(`The server ignored the filter:${where} it answered with person ${id}, who does not match`, {
    hint,
  })
}

/** Reads all rows; throws `RejectedError` if `next` repeats a page. */
export function openWhole(
  client: Client,
  collection: TargetCollection,
  path: object,
  query: object,
  { hint = otherSource, keep }: { readonly hint?: string | undefined; readonly keep?: Reading['keep'] } = {},
): List {
  const endpoint: Endpoint = collections[collection].list
  return list(client, client.request(endpoint, { path, query }), {
    follow: true,
    isStrict: true,
    keep,
    onRepeat() {
      // Repeated pages would hide the targets after them.
      throw new RejectedError('The service led back to a page already read: the list has no end', { hint })
    },
  })
}

const otherSource = 'Nothing was changed; give the ids as arguments, or in a file with --from FILE'

/** Only persons who match the filter. */
export function openPersons(
  reader: PersonReader,
  filter: PersonFilter,
  { limit, ...checking }: PersonChecking & { readonly limit?: number } = {},
): List & { readonly check: PersonCheck } {
  const check = checkPersons(reader, filter, checking)
  const query = { ...personQuery(filter), limit }
  const whole = { hint: checking.hint, keep: check.keep }
  return { ...openWhole(reader.client, 'persons', { project_id: reader.project() }, query, whole), check }
}
