/** Proves that an object is not there: a gateway may answer 404 to everything, from one moment to the next. */
import { isErrorPage, pageIn } from '../../api/answers/forms.ts'
import { canonicalId, idsIn } from '../../api/answers/record-identity.ts'
import type { Client } from '../../api/client.ts'
import { list } from '../../api/pages.ts'
import { isForbidden, RefusedError, RejectedError } from '../../errors.ts'
import { personQuery } from '../../filters/person-filter.ts'
import { Stop } from '../../jobs/outcome.ts'
import type { CollectionFacts, Scope } from '../../operations/collections.ts'
import { pathTo } from '../../operations/operation.ts'
import { allNamesOf } from '../../targets/find-persons.ts'
import type { PersonName } from '../../targets/source.ts'
import { isUuid } from '../../values/ids.ts'
import type { Run } from '../run.ts'
import { isMissing } from './failures.ts'

export interface Proof {
  /** Shared by those who ask at the same time. Throws `Stop` unless the service answers with a page. */
  list(): Promise<unknown>
  /** Returns the number and UUID of each person who has the name. Throws like `list`. */
  listNamed(name: PersonName): Promise<readonly (readonly string[])[]>
  isThere(id: string): Promise<boolean>
}

export function createProof(client: Client, of: CollectionFacts, scope: Scope): Proof {
  const openList = async (query: object) => {
    const request = client.request(of.list, { path: pathTo(scope, '1'), query })
    const arrival = await client.arrival(request)
    const { item } = arrival.read()
    const found = item && pageIn(item)
    if (found && !found.isBareArray && !isErrorPage(found)) return { request, arrival }
    throw new RejectedError(`The service answers 404, and its list of ${of.noun[1]} is not a page`, {
      hint: 'Check the base URL and the project; what has no outcome may still be there',
    })
  }
  const orStop = async <T>(act: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await act()
    } catch (error) {
      // A key for one project may not list projects.
      if (of.scope === undefined && isForbidden(error)) return undefined
      throw new Stop(error)
    }
  }
  const idsOfNamed = async ({ by, name }: PersonName) => {
    const { request, arrival } = await openList({ ...personQuery({ [by]: name, where: [] }), limit: mostNamed })
    const reader = { client, project: () => scope.project_id ?? '' }
    const named: string[][] = []
    // A page may be empty before the end, and a server may ignore the filter, and list anybody.
    for await (const rows of list(client, request, { limit: mostNamed, follow: true }, arrival).batches) {
      for (const row of rows) {
        if ((await allNamesOf(reader, row, name, by)).includes(name)) named.push(idsIn(row.value))
      }
    }
    return named
  }
  return {
    list: sharing(() => orStop(() => openList({ limit: 1 }))),
    listNamed: async name => (await orStop(() => idsOfNamed(name))) ?? [],
    async isThere(id) {
      try {
        await client.record(of.read, { path: pathTo(scope, id) })
        return true
      } catch (error) {
        if (isMissing(error)) return false
        throw error
      }
    },
  }
}

/** Rows that are looked at for who has a name. */
const mostNamed = 10

/** Who asks while one is under way shares the next one, since that must begin after the question. */
function sharing(act: () => Promise<unknown>): () => Promise<unknown> {
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<unknown> | undefined
  return () => {
    next ??= last
      .catch(() => undefined)
      .then(() => {
        next = undefined
        last = act()
        return last
      })
    return next
  }
}

interface Looking extends Pick<Run, 'operation' | 'targets' | 'values'> {
  readonly proof: Proof
}

/**
 * After a 404: a list that answers, the object, a list that answers. `found again`: somebody has the name now who did not
 * have it before. Throws `RefusedError` where distinct ids were given for ids.
 */
export async function lookFor(id: string, name: PersonName | undefined, looking: Looking) {
  const { proof, operation, targets, values } = looking
  const mayBeDistinct = values.isGiven && operation.of.collection === 'persons' && isUuid(id)
  const asked = name ?? (mayBeDistinct ? { by: 'distinctId' as const, name: id } : undefined)
  const others = asked ? (await proof.listNamed(asked)).filter(ids => !ids.includes(canonicalId(id))) : []
  if (!asked) await proof.list()
  if (await proof.isThere(id)) return 'there'
  await proof.list()
  if (name) {
    const { names = [] } = values.found ?? {}
    const hadName = (ids: readonly string[]) =>
      targets.some((target, i) => names[i] === name.name && ids.includes(canonicalId(target)))
    return others.every(hadName) ? 'gone' : 'found again'
  }
  if (others.length === 0) return 'gone'
  throw new RefusedError(`${id} is no id of a person, but a distinct id: distinct ids were given for ids`, {
    hint: 'Give them with --distinct-ids-from FILE',
  })
}
