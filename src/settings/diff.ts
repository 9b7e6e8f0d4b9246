/** What has to change for a project to be as it is wanted. Pure: nothing is read or sent here. */
import { sameField } from '../api/verify-applied.ts'
import { decode, encode } from '../json/exact.ts'
import { masked } from '../output/mask.ts'
import { fields } from './fields.ts'
import type { Wanted } from './read.ts'

/** A project as the service answers with it. */
export type ProjectRecord = Readonly<{ [field: string]: unknown }>

/** One field that differs: as it is, null where the service does not have it, and as it is wanted. */
export interface Change {
  readonly field: string
  readonly from: unknown
  readonly to: unknown
}

/** The fields of `wanted` that `actual` holds otherwise, in the order of the service's document. */
export function diff(wanted: Wanted, actual: ProjectRecord): Change[] {
  return [...fields.keys()].flatMap(field => {
    const from = memberOf(actual, field)
    const to = wanted.get(field)
    return !wanted.has(field) || sameField(field, from, to) ? [] : [{ field, from, to }]
  })
}

/** Every writable field of a project, to be wanted of another. */
export function wantedOf(record: ProjectRecord): Wanted {
  return new Map([...fields.keys()].map(field => [field, memberOf(record, field)]))
}

/** The body that makes the changes: nothing but the fields that change. */
export function bodyOf(changes: readonly Change[]): ProjectRecord {
  return Object.fromEntries(changes.map(({ field, to }) => [field, to]))
}

/** The changes as they may be shown: secrets masked, however deep they are. */
export function concealed(changes: readonly Change[]): Change[] {
  return changes.map(({ field, from, to }) => ({ field, from: hidden(field, from), to: hidden(field, to) }))
}

function hidden(field: string, value: unknown): unknown {
  return (decode(masked(Buffer.from(encode({ [field]: value })))) as ProjectRecord)[field]
}

function memberOf(record: ProjectRecord, field: string): unknown {
  return Object.hasOwn(record, field) ? record[field] : null
}
