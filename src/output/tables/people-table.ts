import type { Item } from '../../json/item.ts'
import { compile, kindOf, members } from '../../json/pick.ts'
import type { Document, Renderer, View } from '../document.ts'
import { isGroup, peopleIn } from '../people.ts'
import { undocumented, views } from '../views.ts'
import { plainRows, rowsOf, tableRenderer } from './table.ts'

/** Persons of a view; those of a group are rows of their own. */
export const peopleRenderer: Renderer = (document, options) =>
  document.shape === 'object'
    ? tableRenderer(document, options)
    : rowsOf(withoutGroups(document), options, first => plainRows(first, viewOf(first), options))

async function* withoutGroups({ batches }: Document): AsyncGenerator<readonly Item[]> {
  for await (const batch of batches) yield batch.flatMap(item => (isGroup(item) && peopleIn(item)) || [item])
}

const marks = compile(['distinct_ids'])
const ofPerson = ['person.id', 'person.name', 'person.properties.email']

function viewOf(batch: readonly Item[]): View {
  const objects = batch.filter(item => kindOf(item) === 'object')
  if (objects.some(item => marks.pick(item)[0])) return views.person
  if (!objects.some(peopleIn)) return undocumented
  // Items are `{person,appearances}`; other members follow the person.
  const others = new Set(objects.flatMap(item => members(item).map(([name]) => name)))
  others.delete('person')
  return { ...undocumented, columns: [...ofPerson, ...others], id: 'person.id', names: ofPerson.slice(1) }
}
