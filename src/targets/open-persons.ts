import type { Client } from '../api/client.ts'
import type { Endpoint } from '../api/endpoints.ts'
import { type List, list, type Reading } from '../api/pages.ts'
import { RejectedError } from '../errors.ts'
import { type PersonFilter, personQuery } from '../filters/person-filter.ts'
import { collections, type TargetCollection } from '../operations/collections.ts'
import { checkPersons, type PersonCheck, type PersonChecking, type PersonReader } from './check-persons.ts'

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
    refuseSamePages: true,
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
