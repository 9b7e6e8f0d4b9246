/** A command that answers with one object, whatever its shape. */
import { fill } from '../api/address.ts'
import { unexpectedAnswer } from '../api/answer.ts'
import type { Client, Input, RecordEndpoint } from '../api/client.ts'
import { rowOf } from '../api/effects.ts'
import type { Endpoint } from '../api/endpoints.ts'
import type { Result } from '../cli/command.ts'
import { UsageError } from '../errors.ts'
import type { Request } from '../http/message.ts'
import type { View } from '../output/document.ts'

/** Throws `UsageError` for an id that is a word of the service: `persons/activity/` is no person. */
export function refuseWord(endpoint: Endpoint, path: Readonly<Record<string, string>>): void {
  if (rowOf(endpoint.method, fill(endpoint.path, path)) === endpoint) return
  throw new UsageError(`${JSON.stringify(path.id)} is not an id: the service has something else under that name`, {
    hint: 'See the commands of the group',
  })
}

/** Throws `RejectedError` where the answer is empty. */
export async function showObject(client: Client, request: Request, view: View): Promise<Result> {
  const item = await client.one(request)
  if (!item) throw unexpectedAnswer(request, 'an empty body')
  return { document: { shape: 'object', batches: [[item]], view } }
}

/** Throws `RejectedError` for any answer that is not the record asked for. */
export async function showRecord<E extends RecordEndpoint>(
  client: Client,
  endpoint: E,
  path: Input<E>['path'] & { readonly id: string },
  view: View,
): Promise<Result> {
  const item = await client.record(endpoint, { path })
  return { document: { shape: 'object', batches: [[item]], view } }
}
