import { sameField } from '../api/answers/verify-applied.ts'
import { fields } from './fields.ts'

export type ProjectRecord = Readonly<{ [field: string]: unknown }>

/** `from` is null where the service does not have the field. */
export interface SettingChange {
  readonly field: string
  readonly from: unknown
  readonly to: unknown
}

/** The fields of `values` that differ from `record`, in the order of the service's document. */
export function compareSettings(values: ReadonlyMap<string, unknown>, record: ProjectRecord): SettingChange[] {
  return [...fields.keys()].flatMap(field => {
    const from = fieldOf(record, field)
    const to = values.get(field)
    return !values.has(field) || sameField(field, from, to) ? [] : [{ field, from, to }]
  })
}

export function valuesOf(record: ProjectRecord, names: Iterable<string> = fields.keys()): ReadonlyMap<string, unknown> {
  return new Map([...names].map(field => [field, fieldOf(record, field)]))
}

export function patchBody(changes: readonly SettingChange[]): ProjectRecord {
  return Object.fromEntries(changes.map(({ field, to }) => [field, to]))
}

function fieldOf(record: ProjectRecord, field: string): unknown {
  return Object.hasOwn(record, field) ? record[field] : null
}
