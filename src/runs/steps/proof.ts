/** Proves that an object is not there: a gateway may answer 404 to everything, from one moment to the next. */
import { isErrorPage, pageIn } from '../../api/answers/forms.ts'
import { canonicalId, idsIn } from '../../api/answers/record-identity.ts'
import type { Client } from '../../api/client.ts'
import { isForbidden, RefusedError, RejectedError } from '../../errors.ts'
import { personConditions, personQuery } from '../../filters/person-filter.ts'
import { Stop } from '../../jobs/outcome.ts'
import { isObject, type Json } from '../../json/exact.ts'
import type { Item } from '../../json/read-item.ts'
import type { CollectionFacts, Scope } from '../../operations/collections.ts'
import { pathTo } from '../../operations/operation.ts'
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
  const page = async (query: object): Promise<readonly Item[]> => {
    try {
      const { item } = await client.answer(client.request(of.list, { path: pathTo(scope, '1'), query }))
      const found = item && pageIn(item)
      if (found && !found.isBareArray && !isErrorPage(found)) return found.rows
    } catch (error) {
      // A key for one project may not list projects.
      if (of.scope === undefined && isForbidden(error)) return []
      throw new Stop(error)
    }
    const failure = new RejectedError(`The service answers 404, and its list of ${of.noun[1]} is not a page`, {
      hint: 'Check the base URL and the project; what has no outcome may still be there',
    })
    throw new Stop(failure)
  }
  return {
    list: sharing(() => page({ limit: 1 })),
    async listNamed({ by, name }) {
      const filter = { [by]: name, where: [] }
      const rows = await page({ ...personQuery(filter), limit: 10 })
      // A server may ignore the filter, and list anybody.
      const isNamed = (value: Json) => isObject(value) && personConditions(filter).every(one => one.isMetBy(value))
      return rows.flatMap(({ value }) => (isNamed(value) ? [idsIn(value)] : []))
    },
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
 * After a 404: a list that answers, the object, a list that answers. `found again`: somebody else has the name now. Throws `Stop`
 * where distinct ids were given for ids.
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
    const isTarget = (ids: readonly string[]) => targets.some(target => ids.includes(canonicalId(target)))
    return others.every(isTarget) ? 'gone' : 'found again'
  }
  if (others.length === 0) return 'gone'
  const failure = new RefusedError(`${id} is no id of a person, but a distinct id: distinct ids were given for ids`, {
    hint: 'Give them with --distinct-ids-from FILE',
  })
  throw new Stop(failure)
}
