/** Persons inside the items of a view, in the observed shapes `{people,count}` and `{person,appearances}`. */

import type { Item } from '../json/item.ts'
import { compile, elements, kindOf } from '../json/pick.ts'

const { pick } = compile(['people', 'person'])

export function peopleIn(item: Item): readonly Item[] | undefined {
  const [people, person] = kindOf(item) === 'object' ? pick(item) : []
  if (people && kindOf(people) === 'array') return elements(people)
  return person && kindOf(person) === 'object' ? [person] : undefined
}

export function isGroup(item: Item): boolean {
  return kindOf(item) === 'object' && pick(item)[0] !== undefined
}
