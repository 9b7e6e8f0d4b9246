/** Finds persons by email or distinct id: many at a time where the server can, and the rest one at a time. */
import { idOf } from '../api/answers/record-identity.ts'
import { personConditions } from '../filters/person-filter.ts'
import { runParallel } from '../jobs/run-parallel.ts'
import { isObject, textAt } from '../json/exact.ts'
import type { Item } from '../json/read-item.ts'
import { firstOf } from '../text/grouped.ts'
import { isOfAll } from './lookup.ts'
import {
  inAnyCase,
  lookupOfMany,
  lookupOfOne,
  namesIn,
  type PersonLookup,
  type PersonReader,
  rowsBy,
} from './person-lookups.ts'
import type { NameKind } from './source.ts'

interface Finding {
  readonly by: NameKind
  readonly concurrency: number
  /** Names the line of a name, for a lookup that fails. */
  readonly at: (name: string) => string
  /** Whether the rows are shown, and need all distinct ids. */
  readonly isShown: boolean
}

/** Returns of each name the persons who have it. Throws with the line of a lookup that fails. */
type FindPersons = <T>(
  names: readonly string[],
  keep: (row: Item) => T,
) => Promise<ReadonlyMap<string, ReadonlyMap<string, T>>>

/** Remembers for the rest of a run if the server cannot look up many. */
export function personFinder(reader: PersonReader, { by, concurrency, at, isShown }: Finding): FindPersons {
  const many = lookupOfMany(reader, by, isShown)
  const one = lookupOfOne(reader, by, at)
  let isManyUsable = true
  return async <T>(names: readonly string[], keep: (row: Item) => T) => {
    const found = new Map<string, Map<string, T>>()
    const lookUp = async ({ find }: PersonLookup, batch: readonly string[]) => {
      const rowsByName = await find(batch)
      for (const [name, rows] of rowsByName ?? []) {
        for (const row of rows) {
          const own = found.get(name) ?? new Map<string, T>()
          // The id of one person may be a number here and a UUID there.
          found.set(name, own.set(textAt(row.value, 'uuid') ?? idOf(row.value, 'persons'), keep(row)))
        }
      }
      return rowsByName !== undefined
    }
    const lookUpMany = async (batch: readonly string[]) => {
      if (isManyUsable && !(await lookUp(many, batch))) isManyUsable = false
    }
    const [first, ...others] = names.length > 1 ? many.batchesOf(names) : []
    // The first answer shows whether the server can do this.
    if (first) await lookUpMany(first)
    await runParallel(others, concurrency, lookUpMany)
    const left = names.filter(name => !found.has(name))
    await runParallel(one.batchesOf(left), concurrency, async batch => void (await lookUp(one, batch)))
    return found
  }
}

export interface Similar {
  readonly reason: 'not-found' | 'other-case' | 'blanks'
  readonly persons: readonly string[]
}

/** Persons who have a name with different capitalization, or without the spaces around it, as far as a search finds them. */
export async function findSimilar(reader: PersonReader, name: string, by: NameKind): Promise<Similar> {
  const search = name.trim()
  const [isSearched] = personConditions({ search, where: [] })
  try {
    for await (const rows of rowsBy(reader, { search })) {
      const isSame = ({ value }: Item) => namesIn(value, by).some(one => inAnyCase(one) === inAnyCase(search))
      const same = rows.filter(isSame)
      if (same.length > 0) {
        const isExact = search !== name && same.some(({ value }) => namesIn(value, by).includes(search))
        return { reason: isExact ? 'blanks' : 'other-case', persons: same.map(({ value }) => idOf(value, 'persons')) }
      }
      // A server that ignores the search would list everyone.
      if (rows.some(({ value }) => !isObject(value) || !isSearched?.isMetBy(value))) return nothing
    }
  } catch (error) {
    if (isOfAll(error)) throw error
  }
  return nothing
}

const nothing = { reason: 'not-found', persons: [] } as const satisfies Similar

/** Follows a sentence that says that nothing matches. */
export function similarHint({ reason, persons }: Similar): string {
  if (reason === 'not-found') return ''
  const who = persons.length === 1 ? `Person ${persons[0]} has` : `Persons ${firstOf(persons, 3)} have`
  return `. ${who} it ${reason === 'blanks' ? 'without the spaces around it' : 'with different capitalization'}.`
}
