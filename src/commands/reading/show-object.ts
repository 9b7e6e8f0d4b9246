import type { Client, EndpointInput, RecordEndpoint } from '../../api/client.ts'
import { recordDocument, type View } from '../../output/document.ts'
import type { Result } from '../../result.ts'

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
