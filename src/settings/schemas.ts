/** JSON Schemas for editors, which the build writes into `dist/`. */
import { project } from '../api/resources.ts'
import { json, type Kind, text } from '../values/kinds.ts'
import { timezones } from '../values/timezones.ts'
import { fields } from './fields.ts'

export function settingsSchema(version: string): unknown {
  return {
    ...addressed('settings', version),
    title: 'Settings of a project',
    description: 'What analytics projects pull writes, and diff and apply read',
    ...objectOf(Object.fromEntries([...fields].map(([field, kind]) => [field, schemaOf(kind)]))),
  }
}

export function manifestSchema(version: string): unknown {
  const files = (description: string) => ({ description, type: 'array', items: { type: 'string', minLength: 1 } })
  return {
    ...addressed('manifest', version),
    title: 'Settings of many projects',
    description: 'What analytics projects diff and apply read with --manifest; paths are relative to the manifest',
    required: ['projects'],
    ...objectOf({
      defaults: files('settings files of every project; its own files win field by field'),
      projects: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['id'],
          properties: {
            id: {
              anyOf: [
                { type: 'integer', minimum: 1 },
                { type: 'string', pattern: '^[1-9][0-9]*$' },
              ],
            },
            files: files('settings files of this project, a later one wins field by field'),
          },
        },
      },
    }),
  }
}

/** A file may name its schema. */
function objectOf(members: Readonly<Record<string, unknown>>) {
  return { type: 'object', additionalProperties: false, properties: { $schema: { type: 'string' }, ...members } }
}

function schemaOf(kind: Kind<unknown>): unknown {
  if (kind === json) return { description: 'free-form: any value' }
  if (kind === text) return { type: ['string', 'null'] }
  if (kind.item) return { type: ['array', 'null'], items: { type: kind.item.name } }
  return { anyOf: [ownSchema(kind), { type: 'null' }, { type: 'string', pattern: '^\\$\\{[^{}]+\\}$' }] }
}

function ownSchema(kind: Kind<unknown>): unknown {
  if (kind === project.fields.timezone.kind) return { enum: timezones() }
  if (kind.choices) return { enum: kind.name === 'integer' ? kind.choices.map(Number) : kind.choices }
  return { type: kind.name }
}

/** Draft 7, which YAML extensions of editors read, at an address that serves the package once this version is on npm. */
function addressed(name: 'settings' | 'manifest', version: string) {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: `https://unpkg.com/@analytics-admin/cli@${version}/dist/${name}.schema.json`,
  }
}
