/** A command that answers with one object, whatever its shape. */
import { fill } from '../api/address.ts'
import type { Client } from '../api/client.ts'
import { rowOf } from '../api/effects.ts'
import type { Endpoint } from '../api/endpoints.ts'
import type { Result } from '../cli/command.ts'
import { RejectedError, UsageError } from '../errors.ts'
import type { Request } from '../http/message.ts'
import { kindOf } from '../json/pick.ts'
import type { View } from '../output/document.ts'
import { undocumented } from '../output/views.ts'

/** Throws `UsageError` for an id that is a word of the service: `persons/activity/` is no person. */
export function refuseWord(endpoint: Endpoint, path: Readonly<Record<string, string>>): void {
  if (rowOf(endpoint.method, fill(endpoint.path, path)) === endpoint) return
  throw new UsageError(`${JSON.stringify(path.id)} is not an id: the service has something else under that name`, {
    hint: 'See the commands of the group',
  })
}

/** Throws `RejectedError` for no answer, and for one that is no record where one is documented. */
export async function showObject(client: Client, request: Request, view: View): Promise<Result> {
  const item = await client.one(request)
  if (!item || (view !== undocumented && kindOf(item) !== 'object')) {
    const { method, url } = request
    throw new RejectedError(`The service answered with ${item ? `${kindOf(item)} in place of a record` : 'nothing'}`, {
      method,
      url: url.origin + url.pathname,
      hint: 'Check the base URL',
    })
  }
  return { document: { shape: 'object', batches: [[item]], view } }
}
