import { unexpectedAnswer } from '../../api/answers/answer.ts'
import type { Client, EndpointInput, RecordEndpoint } from '../../api/client.ts'
import type { Request } from '../../http/message.ts'
import { recordDocument, type View } from '../../output/document.ts'
import type { Result } from '../../result.ts'

/** Throws `RejectedError` if the answer is empty. */
export async function showObject(client: Client, request: Request, view: View): Promise<Result> {
  const { item, status } = await client.answer(request)
  if (!item) throw unexpectedAnswer(request, 'an empty body', { status })
  return { data: recordDocument(item, view) }
}

/** Throws `RejectedError` unless the answer is the requested record. */
export async function showRecord<E extends RecordEndpoint>(
  client: Client,
  endpoint: E,
  path: EndpointInput<E>['path'] & { readonly id: string },
  view: View,
): Promise<Result> {
  const item = await client.record(endpoint, { path })
  return { data: recordDocument(item, view) }
}
