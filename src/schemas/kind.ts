import { project } from '../api/resources.ts'
import { dateTime, json, type Kind, uuid } from '../values/kinds.ts'
import { timezones } from '../values/timezones.ts'

export type Schema = Readonly<Record<string, unknown>>

export function kindSchema(kind: Kind<unknown>): Schema {
  if (kind === json) return { description: 'free-form: any value' }
  if (kind === project.fields.timezone.kind) return { enum: timezones() }
  if (kind === dateTime) return { type: 'string', format: 'date-time' }
  if (kind === uuid) return { type: 'string', format: 'uuid' }
  if (kind.item) return { type: 'array', items: kindSchema(kind.item) }
  if (kind.choices) return { enum: kind.name === 'integer' ? kind.choices.map(Number) : kind.choices }
  return { type: kind.name }
}
