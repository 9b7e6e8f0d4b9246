/** The one person that an id, a distinct id or an e-mail names. */
import type { Client } from '../../api/client.ts'
import { persons } from '../../api/endpoints.ts'
import { list } from '../../api/pages.ts'
import { holdsFirstIds } from '../../api/select-rows.ts'
import { checkFilters } from '../../cli/filters.ts'
import { NotFoundError, RefusedError, UsageError } from '../../errors.ts'
import { personMatcher, personQuery } from '../../filters/person-filter.ts'
import type { Item } from '../../json/item.ts'
import { compile } from '../../json/pick.ts'
import { checkAnsweredId } from '../../operations/targets/find-targets.ts'

export interface PersonName {
  readonly email: string | undefined
  readonly distinctId: string | undefined
}

/** Throws `UsageError` unless exactly one person is named. */
export function checkOnePerson({ id, ...name }: PersonName & { readonly id: string | undefined }): void {
  const given = [id, name.distinctId, name.email].filter(value => value !== undefined)
  if (given.length !== 1) {
    throw new UsageError(given.length === 0 ? 'No person given' : 'Only one person can be shown', {
      hint: 'Give an id, or --distinct-id, or --email',
    })
  }
  checkFilters(name)
}

/** Checks each answer, because a server may ignore a filter and answer with everyone. */
export async function findNamedPerson(client: Client, path: { project_id: string }, name: PersonName): Promise<Item> {
  const filter = { ...name, property: [] }
  const matches = personMatcher(filter)
  // Lists show a person again where new ones move the pages on.
  const found = new Map<string, Item>()
  const request = client.request(persons.list, { path, query: personQuery(filter) })
  for await (const batch of list(client, request, { follow: true }).batches) {
    for (const item of batch) {
      const id = personIdOf(item)
      if (found.has(id)) continue
      const whole = holdsFirstIds(item) ? await client.record(persons.get, { path: { ...path, id } }) : item
      if (!matches(whole)) {
        throw new RefusedError('The server ignored the filter: it answered with somebody else', { hint: 'Give the id' })
      }
      found.set(id, whole)
    }
    if (found.size > 1) {
      throw new RefusedError('More than one person fits', {
        hint: 'List them with analytics persons list, then give one id',
      })
    }
  }
  const [person] = found.values()
  if (person) return person
  if (name.email === undefined) throw new NotFoundError('No person has that distinct id')
  throw new NotFoundError('No person has that e-mail', {
    hint: 'E-mails are compared letter by letter, upper and lower case included',
  })
}

const { pick } = compile(['id'])

export function personIdOf(item: Item): string {
  return checkAnsweredId(pick(item)[0], 'persons')
}
