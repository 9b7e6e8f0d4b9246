/** Persons inside the items of a view, in the observed shapes `{people,count}` and `{person,appearances}`. */

import { isObject, valueAt } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import { elementsOf, membersOf } from '../json/read-item.ts'

export function peopleIn(item: Item): readonly Item[] | undefined {
  const members = membersOf(item)
  const people = members.get('people')
  if (people && Array.isArray(people.value)) return elementsOf(people)
  const person = members.get('person')
  return person && isObject(person.value) ? [person] : undefined
}

export function isGroup(item: Item): boolean {
  return valueAt(item.value, 'people') !== undefined
}
