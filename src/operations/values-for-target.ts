import { nameOfProperty } from '../api/property-path.ts'
import { RefusedError } from '../errors.ts'
import { codes, unknownTagsSentence } from '../jobs/outcome.ts'
import { isObject, valueAt } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import type { Shapes } from './operation-form.ts'
import { knownProperties, refuseNameless } from './person-properties.ts'

type Deletion = Shapes['persons delete-property']['values']

/** `allBut` deletes all properties except these. Throws if one cannot be deleted, or if they are unknown. */
export function keysFor(values: Deletion, person: Item): Deletion {
  const { allBut } = values
  if (allBut === undefined) return values
  const names = [...knownProperties(person).keys()].map(nameOfProperty)
  const keys = names.filter(name => partsNaming(name, allBut).length === 0)
  refuseNameless(keys, 'delete the others with --key')
  return { ...values, keys }
}

/** Names may contain commas and outer blanks, so they are compared as typed and without outer blanks. */
export function partsNaming(
  name: string,
  typed: readonly string[],
  isSame = (one: string, other: string) => one === other,
): readonly string[] {
  const size = name.split(',').length
  return typed.flatMap((_, i) => {
    const parts = typed.slice(i, i + size)
    const part = parts.join(',')
    return isSame(name, part) || isSame(name, part.trim()) ? parts : []
  })
}

type Definition = Shapes['event-definitions update']['values']

/** Servers store tags in lower case. Throws `RefusedError` for unknown tags, since the request replaces all of them. */
export function tagsFor(values: Definition, definition: Item): Definition {
  const { body, addTags = [], removeTags = [] } = values
  if (addTags.length === 0 && removeTags.length === 0) return values
  const there = valueAt(definition.value, 'tags')
  const isList = there === null || Array.isArray(there)
  // A tag that is an object cannot be compared.
  if (!isList || (removeTags.length > 0 && there?.some(isObject))) {
    throw new RefusedError(unknownTagsSentence, { code: codes.unknownTags })
  }
  const tags: unknown[] = (there ?? []).filter(tag => !isAmong(removeTags, tag))
  for (const tag of addTags) if (!isAmong(tags, tag)) tags.push(tag)
  return { ...values, body: { ...body, tags } }
}

function isAmong(tags: readonly unknown[], tag: unknown): boolean {
  return tags.some(one => typeof one === 'string' && typeof tag === 'string' && sameTag(one, tag))
}

export function sameTag(one: string, other: string): boolean {
  return lower(one) === lower(other)
}

function lower(tag: string): string {
  return tag.trim().toLowerCase()
}
