/** Digests of what a job has set, with a key of the job: they tell what was changed since, and hold no value. */
import { createHmac, randomBytes } from 'node:crypto'
import { canonicalField, canonicalParts } from '../../api/answers/verify-applied.ts'
import { isPropertyPath } from '../../api/property-path.ts'

/** One digest for each part of the value; none where there is no value. */
export type Mark = readonly string[]

/** By the path of the field: `name`, `properties.plan`. */
export type Marks = Readonly<Record<string, Mark>>

export function createMarkKey(): string {
  return randomBytes(16).toString('base64url')
}

interface Setting {
  readonly path: string
  /** Undefined: it is taken away. */
  readonly value: unknown
}

export function marksOf(key: string, settings: readonly Setting[]): Marks {
  return Object.fromEntries(settings.map(({ path, value }) => [path, markOf(key, path, value)]))
}

export function markOf(key: string, path: string, value: unknown): Mark {
  return partsIn(path, value).map(part => digestOf(key, `${path} ${part}`))
}

/** A property is replaced as a whole, and null is a value of it. */
function partsIn(path: string, value: unknown): string[] {
  if (!isPropertyPath(path)) return canonicalParts(path, value)
  return value === undefined ? [] : [canonicalField('properties', value)]
}

/** Half of the digest is enough to tell values apart. */
function digestOf(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest().subarray(0, 16).toString('base64url')
}

/** Whether a value is what was set. Some services merge objects: members that were there before may still be there. */
export function isWhatWasSet(now: Mark, set: Mark, before: Mark): boolean {
  if (set.length === 0) return now.length === 0
  return set.every(part => now.includes(part)) && now.every(part => set.includes(part) || before.includes(part))
}

export function isSameMark(a: Mark, b: Mark): boolean {
  return a.length === b.length && a.every(part => b.includes(part))
}
