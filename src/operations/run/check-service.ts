import { isErrorPage } from '../../api/answers/error-answer.ts'
import type { Client } from '../../api/client.ts'
import { isForbidden, RejectedError } from '../../errors.ts'
import type { Request } from '../../http/message.ts'
import { elements, kindOf, members } from '../../json/pick.ts'
import { listRequest, type Operation, rowOf } from '../operation.ts'

/** Reads the list of the targets once in a run, because a 404 for a target is believed only if the list exists. */
export function createListCheck(client: Client, operation: Operation): () => Promise<void> {
  const check = rowOf(operation).scope === undefined ? checkProjects : checkService
  let checked: Promise<void> | undefined
  return () => (checked ??= check(client, listRequest(client, operation)))
}

/** Throws unless the list is a page: only then does a 404 mean that the target is gone. */
export async function checkService(client: Client, list: Request): Promise<void> {
  const page = await client.one(list)
  const found = new Map(page && members(page))
  const results = found.get('results')
  if (results && kindOf(results) === 'array' && !isErrorPage(found, elements(results).length)) return
  throw new RejectedError('The service answers 404 for a target, and its list is not a page', {
    hint: 'Check the base URL and the project; a target without an outcome may still be there',
  })
}

/** Like `checkService`, but accepts a 403 of the service: a key for one project may not list projects. */
async function checkProjects(client: Client, list: Request): Promise<void> {
  try {
    await checkService(client, list)
  } catch (error) {
    if (!isForbidden(error)) throw error
  }
}
