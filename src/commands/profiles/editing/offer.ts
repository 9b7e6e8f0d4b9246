/** Reads which projects a key may use. */
import { malformedAnswer } from '../../../api/answers/answer.ts'
import { checkBaseOf } from '../../../api/answers/base-url-advice.ts'
import type { Client } from '../../../api/client.ts'
import { projects } from '../../../api/endpoints.ts'
import { list } from '../../../api/pages.ts'
import { AuthError, isForbidden, NotFoundError } from '../../../errors.ts'
import type { Request } from '../../../http/message.ts'
import type { Item } from '../../../json/item.ts'
import { compile, kindOf, stringIn, textOf } from '../../../json/pick.ts'

export interface Offer {
  /** Names by id in the order of the service; an empty text where a project has no name. */
  readonly names: ReadonlyMap<string, string>
  readonly total: number | undefined
  readonly more: boolean
}

const most = 100

/** Other text of the service must not get into a profile by the enter key. */
const typeable = /^[\w-]{1,64}$/

/** Sends one request; undefined for a key that may list no projects. */
export async function offerOf(client: Client): Promise<Offer | undefined> {
  const request = client.request(projects.list, { path: {}, query: { limit: most } })
  const { batches, seen } = list(client, request, { follow: false, limit: most })
  const names = new Map<string, string>()
  try {
    for await (const batch of batches) {
      for (const item of batch) {
        const { id, name } = namesIn(request, item)
        if (typeable.test(id)) names.set(id, name)
      }
    }
  } catch (error) {
    if (isForbidden(error)) return undefined
    if (!(error instanceof NotFoundError)) throw error
    throw new NotFoundError(`There are no projects at ${client.base.href}`, {
      ...error.facts,
      hint: checkBaseOf(request.url),
      cause: error,
    })
  }
  const { count, more } = seen()
  const total = /^\d{1,15}$/.test(count) ? Math.max(Number(count), names.size) : undefined
  return { names, total, more: more || (total ?? 0) > names.size }
}

/** Empty where the project has no name. Throws `NotFoundError` or `AuthError` about the id. */
export async function projectNameOf(client: Client, id: string): Promise<string> {
  const request = client.request(projects.get, { path: { id } })
  try {
    const item = await client.one(request)
    return item ? namesIn(request, item).name : ''
  } catch (error) {
    if (error instanceof NotFoundError) {
      throw new NotFoundError(`There is no project ${id} for this key`, {
        ...error.facts,
        hint: 'Check the id',
        cause: error,
      })
    }
    if (isForbidden(error)) throw new AuthError(`The key may not read project ${id}`, { ...error.facts, cause: error })
    throw error
  }
}

const picker = compile(['id', 'name'])

function namesIn(request: Request, item: Item): { readonly id: string; readonly name: string } {
  try {
    const [id, name] = picker.pick(item)
    return {
      id: id && (kindOf(id) === 'number' || kindOf(id) === 'string') ? textOf(id) : '',
      name: stringIn(name) ?? '',
    }
  } catch (error) {
    throw malformedAnswer(request, error)
  }
}
