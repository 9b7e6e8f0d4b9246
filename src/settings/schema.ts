/** The settings file as a JSON Schema, for editors: made from the rows of the project, as everything else is. */
import { project } from '../api/resources.ts'
import { json, type Kind, text } from '../values/kinds.ts'
import { timezones } from '../values/timezones.ts'
import { fields } from './fields.ts'

/** Draft 7, which the YAML extensions of editors read. */
export function settingsSchema(): unknown {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Settings of a project',
    description: 'What analytics projects pull writes, and diff and apply read',
    type: 'object',
    additionalProperties: false,
    properties: {
      $schema: { type: 'string' },
      ...Object.fromEntries([...fields].map(([field, kind]) => [field, schemaOf(kind)])),
    },
  }
}

/** Any field may be null, and any single value may come from a variable. */
function schemaOf(kind: Kind<unknown>): unknown {
  if (kind === json) return { description: 'free-form: any value' }
  if (kind === text) return { type: ['string', 'null'] }
  if (kind.item) return { type: ['array', 'null'], items: { type: kind.item.name } }
  return { anyOf: [single(kind), { type: 'null' }, { type: 'string', pattern: '^\\$\\{[^{}]+\\}$' }] }
}

function single(kind: Kind<unknown>): unknown {
  if (kind === project.fields.timezone.kind) return { enum: timezones }
  return kind.choices ? { enum: kind.choices.map(Number) } : { type: kind.name }
}
