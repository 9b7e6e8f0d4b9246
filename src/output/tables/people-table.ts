import { isObject, valueAt } from '../../json/exact.ts'
import type { Item } from '../../json/item.ts'
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

const ofPerson = ['person.id', 'person.name', 'person.properties.email']

function viewOf(batch: readonly Item[]): View {
  if (batch.some(({ value }) => valueAt(value, 'distinct_ids') !== undefined)) return views.person
  if (!batch.some(peopleIn)) return undocumented
  // Items are `{person,appearances}`; other members follow the person.
  const others = new Set(batch.flatMap(({ value }) => (isObject(value) ? Object.keys(value) : [])))
  others.delete('person')
  return { ...undocumented, columns: [...ofPerson, ...others], id: 'person.id', names: ofPerson.slice(1) }
}
