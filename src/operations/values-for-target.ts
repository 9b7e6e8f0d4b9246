import { nameOfProperty } from '../api/property-path.ts'
import { RefusedError } from '../errors.ts'
import { codes, unknownTagsSentence } from '../jobs/outcome.ts'
import { decode, isObject, type JsonObject } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import { compile } from '../json/pick.ts'
import { knownProperties, refuseNameless } from './person-properties.ts'

interface DeletedProperties {
  readonly keys: readonly string[]
  readonly allBut?: readonly string[] | undefined
}

/** `allBut` deletes all properties except these. Throws if one cannot be deleted, or if they are unknown. */
export function keysFor<V extends DeletedProperties>(values: V, person: Item): V {
  const { allBut } = values
  if (allBut === undefined) return values
  const names = [...knownProperties(person).keys()].map(nameOfProperty)
  const keys = names.filter(name => !isKept(name, allBut))
  refuseNameless(keys, 'delete the others with --key')
  return { ...values, keys }
}

function isKept(name: string, typed: readonly string[]): boolean {
  return partsNaming(name, typed).length > 0
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

interface Tagging {
  readonly body: JsonObject | undefined
  readonly addTags?: readonly string[] | undefined
  readonly removeTags?: readonly string[] | undefined
}

const { pick: pickTags } = compile(['tags'])

/** Servers store tags in lower case. Throws `RefusedError` for unknown tags, since the request replaces all of them. */
export function tagsFor<V extends Tagging>(values: V, definition: Item): V {
  const { body, addTags = [], removeTags = [] } = values
  if (addTags.length === 0 && removeTags.length === 0) return values
  const [own] = pickTags(definition)
  const there = own && decode(own)
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
