/** What has to change for a project to be as it is desired. Nothing is read or sent here. */
import { sameField } from '../api/verify-applied.ts'
import { fields } from './fields.ts'

/** A project as the service answers with it. */
export type ProjectRecord = Readonly<{ [field: string]: unknown }>

/** One field that differs: as it is, null where the service does not have it, and as it is desired. */
export interface SettingChange {
  readonly field: string
  readonly from: unknown
  readonly to: unknown
}

/** The fields of `values` that `record` holds otherwise, in the order of the service's document. */
export function compareSettings(values: ReadonlyMap<string, unknown>, record: ProjectRecord): SettingChange[] {
  return [...fields.keys()].flatMap(field => {
    const from = fieldOf(record, field)
    const to = values.get(field)
    return !values.has(field) || sameField(field, from, to) ? [] : [{ field, from, to }]
  })
}

/** The given fields of a project as values that another comparison can desire; null where it does not have them. */
export function valuesOf(record: ProjectRecord, names: Iterable<string> = fields.keys()): ReadonlyMap<string, unknown> {
  return new Map([...names].map(field => [field, fieldOf(record, field)]))
}

/** The body of the PATCH: nothing but the fields that change. */
export function patchBody(changes: readonly SettingChange[]): ProjectRecord {
  return Object.fromEntries(changes.map(({ field, to }) => [field, to]))
}

function fieldOf(record: ProjectRecord, field: string): unknown {
  return Object.hasOwn(record, field) ? record[field] : null
}
