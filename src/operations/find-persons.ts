/** From filters and distinct ids to the ids of persons: all of them, before the first is changed. */
import type { Client } from '../api/client.ts'
import { persons } from '../api/endpoints.ts'
import { list } from '../api/pages.ts'
import { RefusedError, RejectedError } from '../errors.ts'
import { matches, type PersonFilter } from '../filters/match.ts'
import type { Request } from '../http/message.ts'
import { runParallel } from '../jobs/run-parallel.ts'
import { compile, kindOf, textOf } from '../json/pick.ts'
import type { Item } from '../json/slice.ts'

export interface Persons {
  readonly client: Client
  readonly project: string
}

/** Rows per request; servers take thousands. */
const page = 1000

/**
 * The ids of all persons that the filter selects; `query` is the same filter as the service reads it. Throws
 * `RefusedError` when the answer holds one that it does not select.
 */
export async function selectPersons(
  { client, project }: Persons,
  filter: PersonFilter,
  query: object,
): Promise<string[]> {
  const request = client.request(persons.list, { path: { project_id: project }, query: { ...query, limit: page } })
  return idsOf(client, request, filter)
}

/** The ids of the persons who have these distinct ids, and those that nobody has. */
export async function personsByDistinctId(
  { client, project }: Persons,
  distinctIds: readonly string[],
  concurrency: number,
): Promise<{ ids: string[]; unknown: string[] }> {
  const found: string[][] = distinctIds.map(() => [])
  await runParallel(distinctIds.entries(), concurrency, async ([place, distinctId]) => {
    const request = client.request(persons.list, { path: { project_id: project }, query: { distinct_id: distinctId } })
    found[place] = await idsOf(client, request, { distinctId, property: [] })
  })
  return { ids: [...new Set(found.flat())], unknown: distinctIds.filter((_, i) => found[i]?.length === 0) }
}

const { pick } = compile(['id'])

async function idsOf(client: Client, request: Request, filter: PersonFilter): Promise<string[]> {
  const ids = new Set<string>()
  const repeat = () => {
    // What lies behind the loop would be missing from the targets without anybody's knowing.
    throw new RejectedError('The service led back to a page already read: the list of targets has no end', {
      hint: 'Nothing was changed; give the ids with --from',
    })
  }
  for await (const batch of list(client, request, { follow: true, onRepeat: repeat }).batches) {
    for (const item of batch) {
      if (!matches(item, filter)) throw ignored()
      ids.add(idOf(item))
    }
    if (ids.size > mostIds) throw tooMany()
  }
  return [...ids]
}

function idOf(item: Item): string {
  const [id] = pick(item)
  if (id && (kindOf(id) === 'string' || kindOf(id) === 'number')) return textOf(id)
  throw new RejectedError("The answer is not the service's: a person has no id", { hint: 'Check the base URL' })
}

/** About what fits in memory; a list that goes on behind them may have no end. */
const mostIds = 5_000_000

function tooMany(): RefusedError {
  return new RefusedError('The filter selects more than 5,000,000 persons: nothing was changed', {
    hint: 'Select fewer, and do it in several runs',
  })
}

function ignored(): RefusedError {
  return new RefusedError('The server ignored the filter: it answered with somebody who does not match', {
    hint: 'Nothing was changed; look with analytics persons list, and give the ids with --from',
  })
}
