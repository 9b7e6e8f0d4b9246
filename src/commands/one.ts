/** A command that answers with one object, whatever its shape. */
import type { Client } from '../api/client.ts'
import type { Result } from '../cli/command.ts'
import { RejectedError } from '../errors.ts'
import type { Request } from '../http/message.ts'
import type { View } from '../output/document.ts'

export async function one(client: Client, request: Request, view: View): Promise<Result> {
  const item = await client.one(request)
  if (!item) throw new RejectedError('The service answered with nothing', { hint: 'Check the base URL' })
  return { document: { shape: 'object', batches: [[item]], view } }
}
