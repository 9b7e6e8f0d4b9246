/** Documented fields of a command's output, for completion, help, and `--fields` without a value. */
import type { Kinds } from '../api/endpoints.ts'
import { person, type Resource } from '../api/resources.ts'
import { UsageError } from '../errors.ts'
import { listDocument } from '../output/document.ts'
import { rowView, views } from '../output/views.ts'
import type { Result } from '../result.ts'
import { json, text } from '../values/kinds.ts'
import type { Command } from './command.ts'
import { isBulk } from './options.ts'

export const outcomeFields: Kinds = { id: text, status: text, error: json }

export function documentedFields({ calls, options, fields }: Pick<Command, 'calls' | 'options' | 'fields'>): Kinds {
  if (fields) return fields
  if (isBulk(options)) return outcomeFields
  const resource = calls.flatMap(({ returns }) => ('of' in returns ? [returns.of] : []))[0]
  return resource ? fieldsOf(resource) : {}
}

/** Includes nested fields that a table shows, such as `properties.email`. */
function fieldsOf({ fields }: Resource): Kinds {
  const inside = fields === person.fields ? views.person.columns.filter(name => name.includes('.')) : []
  return {
    ...Object.fromEntries(Object.entries(fields).map(([name, { kind }]) => [name, kind])),
    ...Object.fromEntries(inside.map(name => [name, text])),
  }
}

function fieldList(fields: Kinds): Result {
  const rows = Object.entries(fields).map(([field, { name }]) => ({ field, type: name }))
  return { data: listDocument(rows, rowView(['field', 'type'], 'field')) }
}

export function resourceFields(resource: Resource): Result {
  const rows = Object.entries(fieldsOf(resource)).map(([field, { name: type }]) => {
    const { writable = false } = resource.fields[field.split('.')[0] ?? ''] ?? {}
    return { field, type, writable }
  })
  return { data: listDocument(rows, rowView(['field', 'type', 'writable'], 'field')) }
}

export function fieldsCommand(command: Command): Command {
  return {
    ...command,
    calls: [],
    args: {},
    async run() {
      const fields = documentedFields(command)
      if (Object.keys(fields).length > 0) return fieldList(fields)
      if (command.calls.length === 0) throw new UsageError('This command has no fields', { hint: 'Leave out --fields' })
      throw new UsageError('The service does not document the fields of this answer', {
        hint: 'Run it with -o json to see them',
      })
    },
  }
}
