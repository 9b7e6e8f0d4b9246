/** Proves that an object does not exist: for a while, a gateway may respond with 404 to everything. */
import type { Client } from '../../api/client.ts'
import { isErrorPage, list, pageIn } from '../../api/pages.ts'
import { canonicalId, idsIn } from '../../api/responses/record-identity.ts'
import { Failure, isForbidden, RefusedError, RejectedError } from '../../errors.ts'
import { personQuery } from '../../filters/person-filter.ts'
import type { Backup } from '../../jobs/backup.ts'
import type { RunState } from '../../jobs/engine.ts'
import type { ObjectItem } from '../../json/read-item.ts'
import { type CollectionSpec, pathTo, type Scope } from '../../operations/collections.ts'
import { allNamesOf } from '../../targets/person-lookups.ts'
import type { PersonName } from '../../targets/source.ts'
import { isUuid } from '../../values/ids.ts'
import type { Run } from '../run.ts'
import type { Verdict } from './judge.ts'
import { readTarget } from './read-target.ts'

type NamedPersons = readonly (readonly string[])[]

export interface StepContext
  extends Pick<Run, 'scope' | 'targets' | 'values' | 'journal' | 'operation' | 'concurrency'> {
  /** After the stop of the run it sends nothing more. */
  readonly client: Client
  readonly lists: ReturnType<typeof createLists>
  readonly backup: Backup | undefined
  readonly state: RunState
}

export function createLists(client: Client, collection: CollectionSpec, scope: Scope) {
  const open = async (query: Readonly<Record<string, string | number | undefined>>) => {
    const request = client.request(collection.list, { path: pathTo(scope, '1'), query })
    const response = await client.lazyResponse(request)
    const { item } = response.read()
    const page = item && pageIn(item)
    if (page && !page.isBareArray && !isErrorPage(page)) return { request, response }
    throw new RejectedError(`The server responds with 404, and returns no valid list of ${collection.noun[1]} either`, {
      hint: 'Check the base URL and the project. Pending targets may still be there',
    })
  }
  const orFailure = async (act: () => Promise<NamedPersons>): Promise<NamedPersons | Failure> => {
    try {
      return await act()
    } catch (error) {
      // A key for one project may not list projects.
      if (collection.scope === undefined && isForbidden(error)) return []
      if (error instanceof Failure) return error
      throw error
    }
  }
  const named = async (person: PersonName) => {
    const { by, name } = person
    const { request, response } = await open({ ...personQuery({ [by]: name, where: [] }), limit: mostRowsCompared })
    const reader = { client, project: () => scope.project_id ?? '' }
    const persons: string[][] = []
    // A page may be empty before the end, and a server may ignore the filter and list anyone.
    for await (const rows of list(client, request, { limit: mostRowsCompared, follow: true }, response).batches) {
      for (const row of rows) {
        if ((await allNamesOf(reader, row, person)).includes(name)) persons.push(idsIn(row.value))
      }
    }
    return persons
  }
  return {
    /** Checks that the list responds with a page; concurrent callers share requests. */
    read: shared(() =>
      orFailure(async () => {
        await open({ limit: 1 })
        return []
      }),
    ),
    readNamed: (name: PersonName) => orFailure(() => named(name)),
  }
}

const mostRowsCompared = 10

/** Concurrent callers share one request; it must start after they asked. */
function shared<T>(act: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined
  return () => {
    next ??= last
      .catch(() => undefined)
      .then(() => {
        next = undefined
        const current = act()
        last = current
        return current
      })
    return next
  }
}

/** `merged`: another person has the email or distinct id now. */
type LookResult =
  | { readonly is: 'there'; readonly record: ObjectItem }
  | { readonly is: 'gone' }
  | { readonly is: 'merged' }
  | Extract<Verdict, { readonly is: 'failed' | 'stop' }>

export async function lookFor(target: number, run: StepContext): Promise<LookResult> {
  const { lists, operation, targets, values } = run
  const id = targets[target] ?? ''
  const { by, names = [] } = values.matchedBy ?? {}
  const name = names[target]
  const foundBy = by && name !== undefined ? { by, name } : undefined
  const mayBeDistinct = values.isGiven && operation.collection.name === 'persons' && isUuid(id)
  const nameToCheck = foundBy ?? (mayBeDistinct ? { by: 'distinctId' as const, name: id } : undefined)
  const named = await (nameToCheck ? lists.readNamed(nameToCheck) : lists.read())
  if (named instanceof Failure) return { is: 'stop', failure: named }
  const read = await readTarget(run, operation.collection, id)
  if (read.is !== 'look') return read
  const again = await lists.read()
  if (again instanceof Failure) return { is: 'stop', failure: again }
  const others = named.filter(ids => !ids.includes(canonicalId(id)))
  if (foundBy) {
    const hadName = (ids: readonly string[]) =>
      targets.some((one, i) => names[i] === name && ids.includes(canonicalId(one)))
    return { is: others.every(hadName) ? 'gone' : 'merged' }
  }
  return others.length === 0 ? { is: 'gone' } : { is: 'stop', failure: distinctIdGiven(id) }
}

export function distinctIdGiven(id: string): RefusedError {
  return new RefusedError(`${id} is a distinct id, not the id of a person`, {
    hint: 'Use --distinct-ids-from FILE for distinct ids',
  })
}
