import { checkAnsweredId } from '../api/answers/record-identity.ts'
import { eventDefinitions } from '../api/endpoints.ts'
import { list } from '../api/pages.ts'
import type { Connection } from '../context.ts'
import { NotFoundError, RefusedError } from '../errors.ts'
import { textAt, valueAt } from '../json/exact.ts'

/** Definitions per request; the list of them has no stated maximum. */
const pageSize = 1000

/** Throws `NotFoundError` for an unknown name, `RefusedError` for a name of several, or two names of one. */
export async function findDefinitions(
  { client, project }: Pick<Connection, 'client' | 'project'>,
  names: readonly string[],
): Promise<readonly string[]> {
  const project_id = project()
  const found = new Map(names.map(name => [name, new Set<string>()]))
  const request = client.request(eventDefinitions.list, { path: { project_id }, query: { limit: pageSize } })
  for await (const rows of list(client, request, { follow: true, isStrict: true }).batches) {
    for (const { value } of rows) {
      const ids = found.get(textAt(value, 'name') ?? '')
      ids?.add(checkAnsweredId(valueAt(value, 'id'), 'event_definitions'))
    }
  }
  const nameOf = new Map<string, string>()
  return [...found].map(([name, ids]) => {
    const [id, other] = ids
    const named = JSON.stringify(name)
    if (id === undefined) {
      throw new NotFoundError(`No event definition of project ${project_id} is called ${named}`, {
        hint: 'Names are compared letter by letter; see analytics event-definitions list',
      })
    }
    if (other !== undefined) {
      throw new RefusedError(`Several event definitions are called ${named}: ${[...ids].join(', ')}`, {
        hint: 'Give the id',
      })
    }
    const before = nameOf.get(id)
    if (before !== undefined) {
      throw new RefusedError(`${JSON.stringify(before)} and ${named} are one event definition, renamed meanwhile`, {
        hint: 'Run it again',
      })
    }
    nameOf.set(id, name)
    return id
  })
}
