import { checkAnsweredId } from '../api/answers/record-identity.ts'
import { eventDefinitions } from '../api/endpoints.ts'
import { list } from '../api/pages.ts'
import type { Connection } from '../context.ts'
import { NotFoundError, RefusedError } from '../errors.ts'
import { textAt, valueAt } from '../json/exact.ts'
import { inBatches, mostQueryBytes, unlessInDoubt } from './lookup.ts'

type DefinitionReader = Pick<Connection, 'client' | 'project'>

type FoundIds = ReadonlyMap<string, Set<string>>

/** Definitions per request; the list of them has no stated maximum. */
const pageSize = 1000

/** Of each name the id. Throws `NotFoundError` for an unknown name, `RefusedError` for a name of several, or two names of one. */
export async function findDefinitions(reader: DefinitionReader, names: readonly string[]): Promise<readonly string[]> {
  const found: FoundIds = new Map(names.map(name => [name, new Set<string>()]))
  // A comma separates names.
  const usable = names.filter(name => !name.includes(','))
  for (const batch of inBatches(usable, 50, mostQueryBytes)) {
    if (!(await unlessInDoubt(() => lookUp(reader, found, batch)))) break
  }
  if ([...found.values()].some(ids => ids.size === 0)) await lookUp(reader, found)
  return onePerName(found, reader.project())
}

/** Newer servers list those with the `names`, others all. Returns whether all rows have one of them. */
async function lookUp(
  { client, project }: DefinitionReader,
  found: FoundIds,
  names: readonly string[] = [],
): Promise<boolean> {
  const request = client.request(eventDefinitions.list, {
    path: { project_id: project() },
    query: { limit: pageSize },
    params: names.length === 0 ? [] : [['names', names.join(',')]],
  })
  let areAllNamed = true
  for await (const rows of list(client, request, { follow: true, isStrict: true }).batches) {
    for (const { value } of rows) {
      const name = textAt(value, 'name') ?? ''
      areAllNamed &&= names.includes(name)
      found.get(name)?.add(checkAnsweredId(valueAt(value, 'id'), 'event_definitions'))
    }
  }
  return areAllNamed
}

function onePerName(found: FoundIds, project: string): readonly string[] {
  const nameOf = new Map<string, string>()
  return [...found].map(([name, ids]) => {
    const [id, other] = ids
    const named = JSON.stringify(name)
    if (id === undefined) {
      throw new NotFoundError(`No event definition of project ${project} has the name ${named}`, {
        hint: 'Names are compared exactly; see analytics event-definitions list',
      })
    }
    if (other !== undefined) {
      throw new RefusedError(`Several event definitions have the name ${named}: ${[...ids].join(', ')}`, {
        hint: 'Give the id',
      })
    }
    const before = nameOf.get(id)
    if (before !== undefined) {
      throw new RefusedError(
        `${JSON.stringify(before)} and ${named} are one event definition, renamed during the lookup`,
        {
          hint: 'Run it again',
        },
      )
    }
    nameOf.set(id, name)
    return id
  })
}
