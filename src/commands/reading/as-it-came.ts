import type { Client } from '../../api/client.ts'
import type { Request } from '../../http/message.ts'

/** The body of an answer that is printed unchanged. */
export async function bodyAsItCame(client: Client, request: Request): Promise<Buffer> {
  const isCsv = request.url.searchParams.get('format') === 'csv'
  // A server that finds nothing acceptable answers 406.
  const accept = isCsv ? 'text/csv, */*;q=0.5' : 'application/json, */*;q=0.5'
  return client.send({ ...request, headers: { ...request.headers, accept } })
}
