import type { Client } from '../api/client.ts'
import type { Endpoint } from '../api/endpoints.ts'
import { type List, list, type Reading } from '../api/pages.ts'
import { RejectedError } from '../errors.ts'
import { collections, type TargetCollection } from '../operations/collections.ts'

/** Reads all rows. Throws `RejectedError` if `next` repeats a page, since that would hide the rows after it. */
export function openWhole(
  client: Client,
  collection: TargetCollection,
  path: object,
  query: object,
  keep?: Reading['keep'],
): List {
  const endpoint: Endpoint = collections[collection].list
  return list(client, client.request(endpoint, { path, query }), {
    follow: true,
    isStrict: true,
    keep,
    onRepeat() {
      throw new RejectedError('The service led back to a page already read: the list has no end', {
        hint: 'Nothing was changed; give the ids as arguments, or in a file with --from FILE',
      })
    },
  })
}
