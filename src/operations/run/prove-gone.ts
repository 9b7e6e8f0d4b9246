/** Proves that an object does not exist: a gateway may answer 404 to everything, from one moment to the next. */
import { isErrorPage } from '../../api/answers/error-answer.ts'
import type { Client } from '../../api/client.ts'
import { ifThere } from '../../api/if-there.ts'
import { isForbidden, RejectedError } from '../../errors.ts'
import type { Proof } from '../../jobs/missing-targets.ts'
import { elements, kindOf, members } from '../../json/pick.ts'
import { listRequest, type Operation, readTarget, rowOf } from '../operation.ts'

/** `onRead` gets the id of each object that is there. */
export function createProof(client: Client, operation: Operation, onRead?: (id: string) => void): Proof {
  return {
    list: () => refuseWithoutList(client, operation),
    async exists(id) {
      const isThere = (await ifThere(readTarget(client, operation, id))) !== undefined
      if (isThere) onRead?.(id)
      return isThere
    },
  }
}

/** A 404 before the list proves nothing, so the object is read again after it. */
export async function isProvedGone({ list, exists }: Proof, id: string): Promise<boolean> {
  if (await exists(id)) return false
  await list()
  return !(await exists(id))
}

/** Throws unless the project or organization answers a list of one with a page. */
async function refuseWithoutList(client: Client, operation: Operation): Promise<void> {
  try {
    const page = await client.one(listRequest(client, operation))
    const found = new Map(page && members(page))
    const results = found.get('results')
    if (results && kindOf(results) === 'array' && !isErrorPage(found, elements(results).length)) return
  } catch (error) {
    // A key for one project may not list projects.
    if (rowOf(operation).scope === undefined && isForbidden(error)) return
    throw error
  }
  throw new RejectedError('The service answers 404 for a target, and its list is not a page', {
    hint: 'Check the base URL and the project; a target without an outcome may still be there',
  })
}
