import { RefusedError } from '../errors.ts'
import { codes, unknownTagsSentence } from '../jobs/outcome.ts'
import { isObject, valueAt } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import type { Shapes } from './operation-form.ts'

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
