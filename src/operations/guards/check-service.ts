import { namesError } from '../../api/answer.ts'
import type { Client } from '../../api/client.ts'
import { RejectedError } from '../../errors.ts'
import { kindOf, members } from '../../json/pick.ts'
import { listRequest, type Operation } from '../operation.ts'

/** Throws unless the project or organization answers a list: only then does a 404 mean that a target is gone. */
export async function checkService(client: Client, operation: Operation): Promise<void> {
  const page = await client.one(listRequest(client, operation))
  const found = new Map(page && members(page))
  const results = found.get('results')
  if (results && kindOf(results) === 'array' && !namesError(found)) return
  throw new RejectedError('The service answers 404 for a target, and its list is not a page', {
    hint: 'Check the base URL and the project; targets without an outcome were not deleted by this run',
  })
}
