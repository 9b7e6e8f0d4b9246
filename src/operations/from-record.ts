import { kindAt } from '../api/resources.ts'
import { RefusedError, RejectedError } from '../errors.ts'
import { codes } from '../jobs/outcome.ts'
import type { JsonObject } from '../json/exact.ts'
import { nameOfField } from '../json/property-path.ts'
import { nearest } from '../text/nearest.ts'
import { isSame, storedTag } from '../values/same.ts'
import { type Change, changeOf, partValue, refuseHidden } from './change.ts'

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

export function isTagIn(tags: readonly string[], tag: string): boolean {
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
