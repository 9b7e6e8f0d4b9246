import { unexpectedAnswer } from '../../api/answers/answer.ts'
import type { Client, EndpointInput, RecordEndpoint } from '../../api/client.ts'
import type { Request } from '../../http/message.ts'
import type { View } from '../../output/document.ts'
import { read, type Shown } from '../../result.ts'

/** Throws `RejectedError` if the answer is empty. */
export async function showObject(client: Client, request: Request, view: View): Promise<Shown> {
  const { item, status } = await client.answer(request)
  if (!item) throw unexpectedAnswer(request, 'an empty body', { status })
  return read({ document: { shape: 'object', batches: [[item]], view } })
}

/** Throws `RejectedError` unless the answer is the requested record. */
export async function showRecord<E extends RecordEndpoint>(
  client: Client,
  endpoint: E,
  path: EndpointInput<E>['path'] & { readonly id: string },
  view: View,
): Promise<Shown> {
  const item = await client.record(endpoint, { path })
  return read({ document: { shape: 'object', batches: [[item]], view } })
}
