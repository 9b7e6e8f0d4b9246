import { eventDefinitions } from '../api/endpoints.ts'
import { list } from '../api/pages.ts'
import { idOf } from '../api/responses/record-identity.ts'
import type { Connection } from '../context.ts'
import { NotFoundError, RefusedError } from '../errors.ts'
import { textAt } from '../json/exact.ts'
import type { Item } from '../json/read-item.ts'
import { finderOf, type NameLookup, queryBatches } from './lookup.ts'

/** Throws `NotFoundError` for an unknown name, `RefusedError` if several have it, or if two names are one definition. */
export async function findDefinitions({ client, project }: Connection, names: readonly string[]): Promise<string[]> {
  const wanted = new Set(names)
  /** Newer servers list the definitions that have the names, others list all. */
  const find: NameLookup['find'] = async (batch, add) => {
    const request = client.request(eventDefinitions.list, {
      path: { project_id: project() },
      // The list has no stated maximum.
      query: { limit: 1000, names: batch.join(',') || undefined },
    })
    let areAllRequested = true
    for await (const rows of list(client, request, { follow: true, isStrict: true }).batches) {
      for (const row of rows) {
        const name = textAt(row.value, 'name') ?? ''
        areAllRequested &&= batch.includes(name)
        if (wanted.has(name)) add(name, row)
      }
    }
    return areAllRequested
  }
  // A comma separates names.
  const batchesOf = (all: readonly string[]) =>
    queryBatches(
      all.filter(name => !name.includes(',')),
      50,
    )
  const keyOf = (row: Item) => idOf(row.value, 'event_definitions')
  const findAll = finderOf({ many: { batchesOf, find }, findRest: (_, add) => find([], add), keyOf }, 1)
  const definitions = await findAll(names, () => true)
  const ids = names.map(name => onlyIdOf(name, [...(definitions.get(name)?.keys() ?? [])], project()))
  if (new Set(ids).size === ids.length) return ids
  throw new RefusedError('Two of the names are one event definition, renamed during the lookup', {
    hint: 'Run the command again',
  })
}

function onlyIdOf(name: string, [id, ...others]: readonly string[], project: string): string {
  const named = JSON.stringify(name)
  if (id === undefined) {
    throw new NotFoundError(`No event definition of project ${project} has the name ${named}`, {
      hint: 'Names are compared exactly; see analytics event-definitions list',
    })
  }
  if (others.length === 0) return id
  throw new RefusedError(`Several event definitions have the name ${named}: ${[id, ...others].join(', ')}`, {
    hint: 'Give the id',
  })
}
