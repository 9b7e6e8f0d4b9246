/** OpenAPI document of the service, for generators of clients in other languages. */
import { answeredOtherwise, type Departure, departures, droppedField } from '../api/departures.ts'
import { type Endpoint, endpoints, type Kinds } from '../api/endpoints.ts'
import {
  eventDefinition,
  type Fields,
  person,
  plugin,
  project,
  projectListItem,
  type Resource,
} from '../api/resources.ts'
import { type Kind, text } from '../values/kinds.ts'
import { kindSchema, type Schema } from './kind.ts'

export function openapi(version: string): Schema {
  const groups = Object.entries<Readonly<Record<string, Endpoint>>>(endpoints)
  const paths: Record<string, Record<string, Schema>> = {}
  for (const [group, rows] of groups) {
    for (const [name, row] of Object.entries(rows)) {
      const path = row.path.replaceAll(/:(\w+)/g, '{$1}')
      paths[path] = { ...paths[path], [row.method.toLowerCase()]: operation(group, name, row) }
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Analytics service', version, description },
    servers: [{ url: '{base_url}', variables: { base_url: { default: 'http://127.0.0.1:8010' } } }],
    security: [{ key: [] }],
    paths,
    components: { schemas: schemas(), securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
  }
}

const description =
  'Persons, plugins, event definitions and projects. Written from the tables of the program analytics; what servers answer beyond the document of the service is described too.'

const resources: readonly (readonly [name: string, resource: Resource])[] = [
  ['Person', person],
  ['Plugin', plugin],
  ['EventDefinition', eventDefinition],
  ['Project', project],
  ['ProjectListItem', projectListItem],
]

function operation(group: string, name: string, row: Endpoint): Schema {
  const departure = departures.get(row) ?? {}
  const query = Object.entries(row.query ?? {}).map(([parameter, kind]) => ({
    name: parameter,
    in: 'query',
    schema: kind.item ? jsonList : kindSchema(kind),
  }))
  const schema = departure.body === 'files' ? anyObject : bodySchema({ ...row.body, ...departure.body })
  const body = row.body && { required: true, content: inJson(schema) }
  return {
    operationId: `${group}${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    tags: [group],
    parameters: [...pathParameters(group, row), ...query],
    ...(body ? { requestBody: body } : {}),
    responses: responses(row, departure),
  }
}

/** Servers expect one value; generators would repeat the parameter for each item. */
const jsonList = { type: 'string', contentMediaType: 'application/json', description: 'a list as JSON' }

function pathParameters(group: string, { path }: Endpoint): Schema[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const isText = name !== 'id' || group === 'eventDefinitions'
    // Servers also accept the UUID of a person, and @current for a project.
    const both = group === 'persons' || group === 'projects'
    const type = isText ? 'string' : both ? ['integer', 'string'] : 'integer'
    return { name, in: 'path', required: true, schema: { type } }
  })
}

function bodySchema(kinds: Kinds): Schema {
  const properties = Object.entries(kinds).map(([name, kind]) => [name, orNull(bodyMember(kind))])
  return { type: 'object', properties: Object.fromEntries(properties) }
}

/** Servers may accept other time zones, and the list would be half of the document. */
function bodyMember(kind: Kind<unknown>): Schema {
  return kind === project.fields.timezone.kind ? { type: 'string', description: kind.takes } : kindSchema(kind)
}

function orNull(schema: Schema): Schema {
  if (typeof schema.type === 'string') return { ...schema, type: [schema.type, 'null'] }
  // A schema without conditions accepts null.
  return schema.enum ? { anyOf: [schema, { type: 'null' }] } : schema
}

function inJson(schema: Schema): Schema {
  return { 'application/json': { schema } }
}

function responses(row: Endpoint, { status }: Departure): Schema {
  const error = { description: 'Not done', content: inJson({ $ref: '#/components/schemas/Error' }) }
  return {
    [row.status]: { description: 'Done', ...(row.status === 204 ? {} : { content: inJson(answerSchema(row)) }) },
    ...(status === 201 ? { 201: { description: 'Done, as servers answer', content: inJson(success) } } : {}),
    ...(status === 202 ? { 202: { description: 'Accepted, as servers answer' } } : {}),
    default: error,
  }
}

const anyObject = { type: 'object', additionalProperties: true }

const success = { type: 'object', required: ['success'], properties: { success: { type: 'boolean' } } }

function answerSchema(row: Endpoint): Schema {
  const { returns } = row
  if (departures.get(row)?.body === 'files') return anyObject
  if (!('of' in returns) || answeredOtherwise.has(row))
    return { description: 'servers answer in shapes that the document does not show' }
  const item = { $ref: `#/components/schemas/${nameOf(returns.of)}` }
  if (returns.shape === 'one') return item
  const link = { type: ['string', 'null'] }
  return {
    type: 'object',
    required: ['next', 'previous', 'results'],
    properties: {
      count: { type: 'integer', description: 'left out by servers that do not count' },
      next: link,
      previous: link,
      results: { type: 'array', items: item },
    },
  }
}

function nameOf(resource: Resource): string {
  return resources.find(([, one]) => one === resource)?.[0] ?? ''
}

function schemas(): Schema {
  const made = resources.map(([name, { fields }]) => [name, resourceSchema(fields)])
  return {
    ...Object.fromEntries(made),
    Error: bodySchema({ type: text, code: text, detail: text, attr: text }),
  }
}

/** All other fields may be null on some servers. */
const filled = new Set(['id', 'uuid', 'organization', 'organization_id', 'api_token', 'distinct_ids'])

function resourceSchema(fields: Fields): Schema {
  const properties = Object.entries(fields).map(([name, { kind }]) => {
    const schema = otherTypes.get(fields)?.[name] ?? fieldSchema(kind)
    return [name, filled.has(name) ? schema : orNull(schema)]
  })
  const required = Object.keys(fields).filter(name => name !== droppedField)
  return { type: 'object', required, properties: Object.fromEntries(properties) }
}

/** Answers may have values that the document does not list. */
function fieldSchema(kind: Kind<unknown>): Schema {
  const schema = kindSchema(kind)
  return schema.enum ? { type: kind.name } : schema
}

const otherTypes: ReadonlyMap<Fields, Readonly<Record<string, Schema>>> = new Map<Fields, Record<string, Schema>>([
  [person.fields, { id: { type: ['integer', 'string'], description: 'in lists of most servers the UUID' } }],
  [eventDefinition.fields, { is_action: { type: ['boolean', 'string', 'null'] } }],
])
