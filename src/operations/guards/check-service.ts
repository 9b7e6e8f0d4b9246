import type { Client } from '../../api/client.ts'
import { RejectedError } from '../../errors.ts'
import { compile, kindOf } from '../../json/pick.ts'
import { listRequest, type Operation } from '../operation.ts'

const { pick } = compile(['results'])

/** Throws unless the project or organization answers a list: only then does a 404 mean that a target is gone. */
export async function checkService(client: Client, operation: Operation): Promise<void> {
  const page = await client.one(listRequest(client, operation))
  const [results] = page && kindOf(page) === 'object' ? pick(page) : []
  if (results && kindOf(results) === 'array') return
  throw new RejectedError('The service answers 404 for a target, and its list is not a page', {
    hint: 'Check the base URL and the project; targets without an outcome were not deleted by this run',
  })
}
