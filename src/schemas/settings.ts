import { fields } from '../settings/fields.ts'
import { json, type Kind, text } from '../values/kinds.ts'
import { kindSchema } from './kind.ts'

/** Draft 7, which YAML extensions of editors read. */
export function settingsSchema(version: string): unknown {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: schemaAddress('settings', version),
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

export function manifestSchema(version: string): unknown {
  const files = (description: string) => ({ description, type: 'array', items: { type: 'string', minLength: 1 } })
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: schemaAddress('manifest', version),
    title: 'Settings of many projects',
    description: 'What analytics projects diff and apply read with --manifest; paths are relative to the manifest',
    type: 'object',
    additionalProperties: false,
    required: ['projects'],
    properties: {
      $schema: { type: 'string' },
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
    },
  }
}

function schemaOf(kind: Kind<unknown>): unknown {
  if (kind === json) return { description: 'free-form: any value' }
  if (kind === text) return { type: ['string', 'null'] }
  if (kind.item) return { type: ['array', 'null'], items: { type: kind.item.name } }
  return { anyOf: [kindSchema(kind), { type: 'null' }, { type: 'string', pattern: '^\\$\\{[^{}]+\\}$' }] }
}

/** Where editors read a schema of the package, as soon as this version is on npm. */
function schemaAddress(name: 'settings' | 'manifest', version: string): string {
  return `https://unpkg.com/@analytics-admin/cli@${version}/dist/${name}.schema.json`
}
