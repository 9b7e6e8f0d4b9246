import { checkAnsweredId } from '../api/answers/record-identity.ts'
import type { Connection } from '../context.ts'
import { NotFoundError, RefusedError } from '../errors.ts'
import { textAt, valueAt } from '../json/exact.ts'
import { openWhole } from './list-persons.ts'

/** Of more names, the whole list costs less. */
const mostSearched = 3

/** Definitions per request; the list of them has no stated maximum. */
const pageSize = 1000

/** Throws `NotFoundError` for an unknown name, `RefusedError` for a name of several, or two names of one definition. */
export async function findByName({ client, project }: Connection, names: readonly string[]): Promise<string[]> {
  const found = new Map(names.map(name => [name, new Set<string>()]))
  const hint = 'Give the id'
  const read = async (wanted: ReadonlySet<string>, search?: string): Promise<void> => {
    const query = { limit: pageSize, search }
    const rows = openWhole(client, 'event_definitions', { project_id: project() }, query, { hint })
    for await (const batch of rows.batches) {
      for (const item of batch) {
        const name = textAt(item.value, 'name')
        if (name === undefined || !wanted.has(name)) continue
        const checked = checkAnsweredId(valueAt(item.value, 'id'), 'event_definitions')
        found.get(name)?.add(checked)
      }
    }
  }
  if (names.length <= mostSearched) for (const name of names) await read(new Set([name]), name)
  // A search may miss a name; one that is unknown is ignored, and has read the whole list.
  const missing = names.filter(name => found.get(name)?.size === 0)
  if (missing.length > 0) await read(new Set(missing))
  const nameOf = new Map<string, string>()
  return [...found].map(([name, ids]) => {
    const [id, other] = ids
    if (id === undefined) {
      throw new NotFoundError(`No event definition of project ${project()} is called ${JSON.stringify(name)}`, {
        hint: 'Names are compared letter by letter; see analytics event-definitions list',
      })
    }
    if (other !== undefined) {
      throw new RefusedError(`Several event definitions are called ${JSON.stringify(name)}`, { hint })
    }
    const before = nameOf.get(id)
    nameOf.set(id, name)
    if (before === undefined) return id
    throw new RefusedError(
      `${JSON.stringify(before)} and ${JSON.stringify(name)} are one event definition: it was renamed while the list was read`,
      { hint: 'Run it again' },
    )
  })
}
