import { persons as endpoints } from '../../api/endpoints.ts'
import { list } from '../../api/pages.ts'
import { personMatcher } from '../../filters/person-filter.ts'
import { runParallel } from '../../jobs/run-parallel.ts'
import { TargetCollector } from '../../jobs/targets/target-collector.ts'
import type { Targets } from '../../jobs/targets/target-list.ts'
import type { Item } from '../../json/item.ts'
import { compile, stringIn } from '../../json/pick.ts'
import type { PersonReader } from './check-persons.ts'
import { findNamed } from './find-targets.ts'
import type { ListedName } from './read-list.ts'

/** A line has no target if its name has no person, several persons, or another case. */
export type Unmatched = ListedName & { readonly why: 'nobody' | 'several' | 'other-case' }

interface LookedUp {
  readonly ids: Targets
  readonly unmatched: readonly Unmatched[]
}

export interface LookUp {
  readonly by: 'email' | 'distinctId'
  readonly concurrency: number
  /** Persons with the same name are all targets, or none is. */
  readonly onSeveral: 'leave' | 'all'
  /** Called for each name without a person, in any order, before an error is thrown. */
  readonly onNobody: (name: ListedName) => void
}

/** Ids of a line, empty without a person; or `other-case` if its e-mail exists only in another case. */
type FoundLine = readonly string[] | 'other-case'

/** Throws the errors of requests. */
export async function lookUp(
  persons: PersonReader,
  names: readonly ListedName[],
  { by, concurrency, onSeveral, onNobody }: LookUp,
): Promise<LookedUp> {
  const ids = new TargetCollector()
  const found: FoundLine[] = []
  await runParallel(names.entries(), concurrency, async ([index, name]) => {
    const { text, line } = name
    const own = await findNamed(persons, { [by]: text, property: [] }, line)
    const isCased = own.length === 0 && by === 'email' && (await hasOtherCase(persons, text))
    found[index] = isCased ? 'other-case' : own
    if (own.length === 0) onNobody(name)
  })
  const unmatched: Unmatched[] = []
  for (const [index, name] of names.entries()) {
    const own = found[index] ?? []
    if (own === 'other-case') unmatched.push({ ...name, why: own })
    else if (own.length === 0) unmatched.push({ ...name, why: 'nobody' })
    else if (own.length > 1 && onSeveral === 'leave') unmatched.push({ ...name, why: 'several' })
    else for (const id of own) ids.add(id)
  }
  return { ids: ids.list(), unmatched }
}

const { pick } = compile(['properties.email'])

/** `email` is exact, but `search` ignores case, so it finds an e-mail in another case. */
async function hasOtherCase({ client, project }: PersonReader, email: string): Promise<boolean> {
  const query = { search: email, limit: 100 }
  const isFound = personMatcher({ search: email, property: [] })
  const request = client.request(endpoints.list, { path: { project_id: project() }, query })
  for await (const batch of list(client, request, { follow: true }).batches) {
    if (batch.some(person => emailOf(person)?.toLowerCase() === email.toLowerCase())) return true
    // A server that ignores the search would return everyone, for every line.
    if (!batch.every(isFound)) return false
  }
  return false
}

function emailOf(person: Item): string | undefined {
  return stringIn(pick(person)[0])
}
