/** Which projects a key may use. */
import { malformedAnswer } from '../../../api/answers/answer.ts'
import { checkBaseOf } from '../../../api/answers/base-url-advice.ts'
import type { Client } from '../../../api/client.ts'
import { projects } from '../../../api/endpoints.ts'
import { list } from '../../../api/pages.ts'
import type { Context } from '../../../context.ts'
import { AuthError, isForbidden, NotFoundError } from '../../../errors.ts'
import type { Request } from '../../../http/message.ts'
import type { Item } from '../../../json/item.ts'
import { compile, kindOf, stringIn, textOf } from '../../../json/pick.ts'
import { cut } from '../../../text/cells.ts'
import { escapeControls } from '../../../text/escape-controls.ts'
import { countOf } from '../../../text/grouped.ts'
import { isId } from '../../../values/ids.ts'

export interface AvailableProjects {
  /** Names by id, in the order of the service; '' for a project without a name. */
  readonly names: ReadonlyMap<string, string>
  readonly more: boolean
}

/** More projects would not fit on a screen with the question. */
const most = 15

/** Sends one request; undefined if the key may not list projects. */
export async function readAvailableProjects(client: Client): Promise<AvailableProjects | undefined> {
  const request = client.request(projects.list, { path: {}, query: { limit: most } })
  const { batches, seen } = list(client, request, { follow: false, limit: most })
  const names = new Map<string, string>()
  try {
    for await (const batch of batches) {
      for (const item of batch) {
        const { id, name } = namesIn(request, item)
        if (isId('projects', id)) names.set(id, name)
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
  return { names, more: seen().more }
}

export function showAvailableProjects(
  available: AvailableProjects | undefined,
  wanted: boolean,
  { host, messages, secrets }: Context,
): void {
  if (!available) {
    const how = wanted ? 'so it is checked with the one that you name' : 'and the profile names none to check it with'
    messages.say(`The key may not list projects, ${how}`)
    return
  }
  const { names, more } = available
  if (!wanted || names.size === 0) {
    messages.notice('The key is accepted')
    return
  }
  messages.say(
    `The key is accepted, for ${more ? 'these projects and others' : countOf(names.size, 'project', 'projects')}:`,
  )
  const widest = Math.max(...[...names.keys()].map(id => id.length))
  const room = Math.max(20, (host.stderr.columns ?? 80) - widest - 4)
  for (const [id, name] of names)
    messages.say(`  ${id.padStart(widest)}  ${cut(escapeControls(secrets.hide(name)) || '(no name)', room)}`)
}

/** Returns '' for a project without a name. Throws `NotFoundError` or `AuthError` about the id. */
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
