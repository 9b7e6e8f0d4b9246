/** What a write changes in a record: one form for preview, backup, comparison and undo, and changes that follow from the record. */
import { kindAt } from '../api/resources.ts'
import { notTheService, RefusedError, RejectedError } from '../errors.ts'
import { codes } from '../jobs/outcome.ts'
import { isObject, type JsonObject } from '../json/exact.ts'
import { isPropertyPath, nameOfField, propertyPath } from '../json/property-path.ts'
import { nearest } from '../text/nearest.ts'
import { isApplied, isSame, storedTag } from '../values/same.ts'

/** The fields to set; for a person `properties`, and in `$unset` the names of properties to remove. */
export type Change = JsonObject

export interface Part {
  readonly path: string
  readonly value: unknown
}

export function changedParts({ $unset, ...set }: Change): readonly Part[] {
  const parts = Object.entries(set).flatMap(([path, value]) => {
    if (path !== 'properties' || !isObject(value)) return { path, value }
    return Object.entries(value).map(([name, one]) => ({ path: propertyPath(name), value: one }))
  })
  const removed = Array.isArray($unset) ? $unset : []
  return [...parts, ...removed.map(name => ({ path: propertyPath(String(name)), value: undefined }))]
}

export function changesIn(writes: readonly { readonly change: Change }[]): readonly Part[] {
  return writes.flatMap(({ change }) => changedParts(change))
}

export function changeOf(parts: readonly Part[]): Change {
  const [own, fields] = [
    parts.filter(({ path }) => isPropertyPath(path)),
    parts.filter(one => !isPropertyPath(one.path)),
  ]
  const set = own.filter(({ value }) => value !== undefined)
  const unset = own.filter(({ value }) => value === undefined)
  return {
    ...Object.fromEntries(fields.map(({ path, value = null }) => [path, value])),
    ...(set.length > 0 && { properties: Object.fromEntries(set.map(one => [nameOfField(one.path), one.value])) }),
    ...(unset.length > 0 && { $unset: unset.map(({ path }) => nameOfField(path)) }),
  }
}

export function partValue(record: JsonObject, path: string): unknown {
  if (!isPropertyPath(path)) return Object.hasOwn(record, path) ? record[path] : undefined
  const { properties } = record
  const name = nameOfField(path)
  return isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
}

/** Throws `RejectedError` where the service left the properties out, since they may exist. */
export function refuseHidden({ properties }: JsonObject, parts: readonly Part[]): void {
  if (isObject(properties) || !parts.some(({ path }) => isPropertyPath(path))) return
  throw new RejectedError('Unexpected response: a person without properties', {
    code: notTheService,
    hint: 'Check the base URL and the output of analytics persons get',
  })
}

/**
 * Names what the record does not hold after the change, if it held `before`. Undefined where the record cannot show it: a
 * person without properties.
 */
export function findUnapplied(change: Change, record: JsonObject, before?: JsonObject): readonly string[] | undefined {
  const parts = changedParts(change)
  if (!isObject(record.properties) && parts.some(({ path }) => isPropertyPath(path))) return undefined
  return parts
    .filter(({ path, value }) => {
      const old = before && partValue(before, path)
      return !isApplied(kindAt(path), value, partValue(record, path), old)
    })
    .map(({ path }) => nameOfField(path))
}

export interface Saved {
  /** The old values by path; absent where there was none. */
  readonly before: JsonObject
  /** Each path with the value that the job set; without a value if the job removed the field. */
  readonly set: readonly (readonly [path: string, value?: unknown])[]
}

/**
 * The change that puts the old values back. Throws `RejectedError` with code `conflict` where a field holds neither what the
 * job set nor its old value. Without a record: for the checks before the first one is read.
 */
export function putBack({ before, set }: Saved, force: boolean, record: JsonObject | undefined): Change {
  const paths = [...new Set(set.map(([path]) => path))]
  const parts = paths.map(path => ({ path, value: Object.hasOwn(before, path) ? before[path] : undefined }))
  if (!record) return changeOf(parts)
  refuseHidden(record, parts)
  const conflict = parts.find(({ path, value }) => {
    const now = partValue(record, path)
    const isNow = (one: unknown) => isSame(kindAt(path), one, now)
    return !isNow(value) && !set.some(([name, wanted]) => name === path && isNow(wanted))
  })
  if (conflict && !force) {
    const what = nameOfField(conflict.path)
    throw new RejectedError(
      `Another user changed ${what} since, so it was skipped. Use jobs undo --force to restore it`,
      {
        code: codes.conflict,
        attr: conflict.path,
      },
    )
  }
  return changeOf(parts.filter(({ path, value }) => value !== undefined || partValue(record, path) !== undefined))
}

/** Throws `RefusedError` where the record shows no list of tags, since the request replaces all of them. */
export function mergedTags({ tags }: JsonObject, add: readonly string[], remove: readonly string[]): readonly string[] {
  const there: unknown = tags === null ? [] : tags
  if (!Array.isArray(there) || there.some(tag => typeof tag !== 'string')) {
    throw new RefusedError('The record has no list of tags, so nothing was sent. Use --tags to set the list', {
      code: codes.unknownTags,
    })
  }
  const kept: string[] = there.filter(tag => !isTagIn(remove, tag))
  return [...kept, ...add.filter((tag, i) => !isTagIn([...kept, ...add.slice(0, i)], tag))]
}

function isTagIn(tags: readonly string[], tag: string): boolean {
  return tags.some(one => storedTag(one) === storedTag(tag))
}

/** Throws `RefusedError`: servers accept any text, and lose the properties if it is no distinct id of the person. */
export function checkMainDistinctId(main: string, { id, distinct_ids: ids }: JsonObject): void {
  const own = Array.isArray(ids) ? ids.map(String) : []
  if (own.includes(main)) return
  const near = nearest(main, own)
  throw new RefusedError('--main-distinct-id is not one of the distinct ids of this person', {
    code: codes.notTheirs,
    hint: near === undefined ? `See them with: analytics persons get ${id}` : `Did you mean ${near}?`,
  })
}

/** Which operation puts back the old values that another one saved. */
export const undoneBy: Readonly<Record<string, 'persons undo' | 'event-definitions undo'>> = {
  'persons update': 'persons undo',
  'persons update-property': 'persons undo',
  'persons delete-property': 'persons undo',
  'persons undo': 'persons undo',
  'event-definitions update': 'event-definitions undo',
  'event-definitions undo': 'event-definitions undo',
}
