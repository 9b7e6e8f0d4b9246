/** A person has a number and a UUID, and lists may name them by both. */
import { persons } from '../api/endpoints.ts'
import { ifThere } from '../api/if-there.ts'
import { runParallel } from '../jobs/run-parallel.ts'
import { textAt } from '../json/exact.ts'
import { isUuid } from '../values/ids.ts'
import type { PersonReader } from './list-persons.ts'

export function mixesForms(ids: readonly string[]): boolean {
  let [numbers, uuids] = [false, false]
  for (const id of ids) {
    if (isUuid(id)) uuids = true
    else numbers = true
    if (numbers && uuids) return true
  }
  return false
}

interface Noticing {
  readonly onRead: (id: string) => void
  /** Gets the places of both forms. */
  readonly onAgain: ((first: number, again: number) => void) | undefined
}

/** Keeps the form that came first. A number that nobody has stays. */
export async function eachPersonOnce(
  { client, project }: PersonReader,
  ids: readonly string[],
  concurrency: number,
  { onRead, onAgain }: Noticing,
): Promise<readonly string[]> {
  const all = [...ids]
  const uuids: string[] = []
  const uuidOf = async (id: string) => {
    const person = await ifThere(client.record(persons.get, { path: { project_id: project(), id } }))
    if (!person) return id
    const uuid = textAt(person.value, 'uuid') ?? id
    onRead(id)
    onRead(uuid)
    return uuid
  }
  await runParallel(all.entries(), concurrency, async ([index, id]) => {
    uuids[index] = (isUuid(id) ? id : await uuidOf(id)).toLowerCase()
  })
  const places = new Map<string, number>()
  return all.filter((_, index) => {
    const uuid = uuids[index] ?? ''
    const first = places.get(uuid)
    if (first === undefined) places.set(uuid, index)
    else onAgain?.(first, index)
    return first === undefined
  })
}
