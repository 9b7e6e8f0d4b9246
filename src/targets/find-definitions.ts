import { eventDefinitions } from '../api/endpoints.ts'
import { list } from '../api/pages.ts'
import { idOf } from '../api/responses/record-identity.ts'
import type { Connection } from '../context.ts'
import { NotFoundError, RefusedError } from '../errors.ts'
import { textAt } from '../json/exact.ts'
import { finderOf, inBatches, mostQueryBytes, type NameLookup, tryLookup } from './lookup.ts'

/** Throws `NotFoundError` for an unknown name, `RefusedError` if several have it, or if two names are one definition. */
export async function findDefinitions(
  { client, project }: Pick<Connection, 'client' | 'project'>,
  names: readonly string[],
): Promise<readonly string[]> {
  const wanted = new Set(names)
  /** Newer servers list the definitions that have the names, others list all. */
  const find = async (batch: readonly string[], add: Parameters<NameLookup['find']>[1]): Promise<boolean> => {
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
  const many: NameLookup = {
    // A comma separates names.
    batchesOf(all) {
      const usable = all.filter(name => !name.includes(','))
      return inBatches(usable, 50, mostQueryBytes)
    },
    find: async (batch, add) => (await tryLookup(() => find(batch, add))) ?? false,
  }
  const rest: NameLookup = {
    batchesOf: left => (left.length === 0 ? [] : [left]),
    find: (_, add) => find([], add),
  }
  const findAll = finderOf({ many, rest, keyOf: row => idOf(row.value, 'event_definitions') }, 1)
  const definitions = await findAll(names, () => true)
  const nameOf = new Map<string, string>()
  for (const name of names) {
    const id = onlyIdOf(name, [...(definitions.get(name)?.keys() ?? [])], project())
    const before = nameOf.get(id)
    if (before !== undefined) {
      const both = `${JSON.stringify(before)} and ${JSON.stringify(name)}`
      throw new RefusedError(`${both} are one event definition, renamed during the lookup`, {
        hint: 'Run the command again',
      })
    }
    nameOf.set(id, name)
  }
  return [...nameOf.keys()]
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
