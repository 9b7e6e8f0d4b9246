/** The documented fields of what a command shows, for completion, help, and `--fields` without a value. */
import type { Kinds } from '../api/endpoints.ts'
import { person, type Resource } from '../api/resources.ts'
import { UsageError } from '../errors.ts'
import type { View } from '../output/document.ts'
import { outcomeView, views } from '../output/views.ts'
import { text } from '../values/kinds.ts'
import type { Command, Result } from './command.ts'

const view: View = { columns: ['field', 'type'], fields: ['field', 'type'], id: 'field' }

/** Empty where the service does not document the answer. */
export function documentedFields({ calls, options }: Pick<Command, 'calls' | 'options'>): Kinds {
  if ('maxFailures' in options) return Object.fromEntries(outcomeView.fields.map(field => [field, text]))
  const resource = calls.flatMap(({ returns }) => ('of' in returns ? [returns.of] : []))[0]
  return resource ? fieldsOf(resource) : {}
}

/** Includes nested fields that a table shows, such as `properties.email`. */
export function fieldsOf({ fields }: Resource): Kinds {
  const inside = fields === person.fields ? views.person.columns.filter(name => name.includes('.')) : []
  return {
    ...Object.fromEntries(Object.entries(fields).map(([name, { kind }]) => [name, kind])),
    ...Object.fromEntries(inside.map(name => [name, text])),
  }
}

export function fieldList(fields: Kinds): Result {
  const rows = Object.entries(fields).map(([field, { name }]) => Buffer.from(JSON.stringify({ field, type: name })))
  return { document: { shape: 'list', batches: [rows], view } }
}

/** Replaces a command: lists its fields and sends nothing. */
export function fieldsCommand(command: Command): Command {
  return {
    ...command,
    calls: [],
    args: {},
    async run() {
      const fields = documentedFields(command)
      if (Object.keys(fields).length > 0) return fieldList(fields)
      throw new UsageError('The fields of this command are not documented', { hint: 'Run it with -o json to see them' })
    },
  }
}
