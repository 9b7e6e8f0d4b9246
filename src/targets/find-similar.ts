/** Finds persons whose name differs only in capitalization or in the spaces around it. */
import { idOf } from '../api/responses/record-identity.ts'
import { personConditions } from '../filters/person-filter.ts'
import { isObject } from '../json/exact.ts'
import type { Item } from '../json/read-item.ts'
import { firstOf } from '../text/grouped.ts'
import { failsEveryLookup } from './lookup.ts'
import { isSameIgnoringCase, namesIn, type PersonReader, rowsBy } from './person-lookups.ts'
import type { NameKind } from './source.ts'

export interface Similar {
  readonly reason: 'not-found' | 'other-case' | 'blanks'
  readonly persons: readonly string[]
}

export async function findSimilar(reader: PersonReader, name: string, by: NameKind): Promise<Similar> {
  const search = name.trim()
  const [isSearched] = personConditions({ search, where: [] })
  try {
    for await (const rows of rowsBy(reader, { search })) {
      const isSame = ({ value }: Item) => namesIn(value, by).some(one => isSameIgnoringCase(one, search))
      const same = rows.filter(isSame)
      if (same.length > 0) {
        const isExact = search !== name && same.some(({ value }) => namesIn(value, by).includes(search))
        return { reason: isExact ? 'blanks' : 'other-case', persons: same.map(({ value }) => idOf(value, 'persons')) }
      }
      // A server that ignores the search would list all persons.
      if (rows.some(({ value }) => !isObject(value) || !isSearched?.isMetBy(value))) return nothing
    }
  } catch (error) {
    if (failsEveryLookup(error)) throw error
  }
  return nothing
}

const nothing = { reason: 'not-found', persons: [] } as const satisfies Similar

export function similarHint({ reason, persons }: Similar): string {
  if (reason === 'not-found') return ''
  const who = persons.length === 1 ? `Person ${persons[0]} has` : `Persons ${firstOf(persons, 3)} have`
  return `. ${who} it ${reason === 'blanks' ? 'without the spaces around it' : 'with different capitalization'}.`
}
