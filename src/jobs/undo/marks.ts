/** Keyed digests of values that a job set: they show later changes, and contain no value. */
import { createHmac, randomBytes } from 'node:crypto'
import { canonicalField, canonicalParts } from '../../api/answers/verify-applied.ts'
import { isPropertyPath } from '../../api/property-path.ts'

/** One digest per part of the value; empty without a value. */
type Mark = readonly string[]

/** The key is the path of the field: `name`, `properties.plan`. */
export type Marks = Readonly<Record<string, Mark>>

export function createMarkKey(): string {
  return randomBytes(16).toString('base64url')
}

interface Setting {
  readonly path: string
  /** Undefined removes the field. */
  readonly value: unknown
}

export function marksOf(key: string, settings: readonly Setting[]): Marks {
  return Object.fromEntries(settings.map(({ path, value }) => [path, markOf(key, path, value)]))
}

export function markOf(key: string, path: string, value: unknown): Mark {
  return partsIn(path, value).map(part => digestOf(key, `${path} ${part}`))
}

/** A property is replaced as a whole, and may be null. */
function partsIn(path: string, value: unknown): string[] {
  if (!isPropertyPath(path)) return canonicalParts(path, value)
  return value === undefined ? [] : [canonicalField('properties', value)]
}

/** Half of the digest is enough to distinguish values. */
function digestOf(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest().subarray(0, 16).toString('base64url')
}

/** Some services merge objects, so members from before may still be there. */
export function isWhatWasSet(now: Mark, set: Mark, before: Mark): boolean {
  if (set.length === 0) return now.length === 0
  return set.every(part => now.includes(part)) && now.every(part => set.includes(part) || before.includes(part))
}

export function isSameMark(a: Mark, b: Mark): boolean {
  return a.length === b.length && a.every(part => b.includes(part))
}
