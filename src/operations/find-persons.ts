/** From filters and distinct ids to the ids of persons: all of them, before the first is changed. */
import type { Client } from '../api/client.ts'
import { persons as endpoints } from '../api/endpoints.ts'
import { list } from '../api/pages.ts'
import { holdsFirstIds } from '../api/select-rows.ts'
import { RefusedError, RejectedError } from '../errors.ts'
import { fixPersonTimes, type PersonFilter, personMatcher, personQuery } from '../filters/person-filter.ts'
import { runParallel } from '../jobs/run-parallel.ts'
import { compile, kindOf, textOf } from '../json/pick.ts'
import type { Item } from '../json/slice.ts'
import { isId } from '../values/ids.ts'

export interface Persons {
  readonly client: Client
  readonly project: string
  /** The service's time in ms, from which `-90d` counts. */
  readonly now: number
}

/** Rows per request; servers take thousands. */
const page = 1000

/** The ids of all persons that the filter selects. Throws `RefusedError` when the answer holds another. */
export async function selectPersons(persons: Persons, filter: PersonFilter): Promise<string[]> {
  return idsOf(persons, fixPersonTimes(filter, persons.now), page)
}

/** The ids of the persons who have these distinct ids, and those that nobody has. */
export async function personsByDistinctId(
  persons: Persons,
  distinctIds: readonly string[],
  concurrency: number,
): Promise<{ ids: string[]; unknown: string[] }> {
  const found: string[][] = distinctIds.map(() => [])
  await runParallel(distinctIds.entries(), concurrency, async ([place, distinctId]) => {
    found[place] = await idsOf(persons, { distinctId, property: [] })
  })
  return { ids: [...new Set(found.flat())], unknown: distinctIds.filter((_, i) => found[i]?.length === 0) }
}

const { pick } = compile(['id'])

async function idsOf({ client, project }: Persons, filter: PersonFilter, limit?: number): Promise<string[]> {
  const path = { project_id: project }
  const request = client.request(endpoints.list, { path, query: { ...personQuery(filter), limit } })
  const matches = personMatcher(filter)
  const ids = new Set<string>()
  const repeat = () => {
    // What lies behind the loop would be missing from the targets without anybody's knowing.
    throw new RejectedError('The service led back to a page already read: the list of targets has no end', {
      hint: 'Nothing was changed; give the ids with --from',
    })
  }
  for await (const batch of list(client, request, { follow: true, onRepeat: repeat }).batches) {
    for (const item of batch) {
      const id = idOf(item)
      if (!matches(item) && !(holdsFirstIds(item) && (await matchesWhole(id)))) throw ignored(id)
      ids.add(id)
    }
    if (ids.size > mostIds) throw tooMany()
  }
  return [...ids]

  async function matchesWhole(id: string): Promise<boolean> {
    const whole = await client.one(client.request(endpoints.get, { path: { ...path, id } }))
    return whole !== undefined && matches(whole)
  }
}

function idOf(item: Item): string {
  const [id] = pick(item)
  if (id && (kindOf(id) === 'string' || kindOf(id) === 'number') && isId('persons', textOf(id))) return textOf(id)
  throw new RejectedError('Unexpected response: a person without an id that is a whole number or a UUID', {
    hint: 'Check the base URL',
  })
}

/** About what fits in memory; a list that goes on behind them may have no end. */
const mostIds = 5_000_000

function tooMany(): RefusedError {
  return new RefusedError('The filter selects more than 5,000,000 persons: nothing was changed', {
    hint: 'Select fewer, and do it in several runs',
  })
}

function ignored(id: string): RefusedError {
  return new RefusedError(`The server ignored the filter: it answered with person ${id}, who does not match`, {
    hint: 'Nothing was changed; look with analytics persons list, and give the ids with --from',
  })
}
