import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { type Endpoint, endpoints, persons, plugins, projects } from '../../src/api/endpoints.ts'
import { openapi } from '../../src/schemas/openapi.ts'
import { openapiFile, operationOf, problemsOf, openapi as shipped } from '../openapi.ts'

const rows: Endpoint[] = Object.values(endpoints).flatMap(group => Object.values<Endpoint>(group))

test('what is shipped is what the rows say', () => {
  expect(shipped).toEqual(openapi(manifest.version))
})

test('it is valid, and every reference in it leads somewhere', () => {
  const validator = join(
    import.meta.dirname,
    '../../node_modules/@seriousme/openapi-schema-validator/bin/validate-api-cli.js',
  )
  expect(JSON.parse(execFileSync(process.execPath, [validator, openapiFile], { encoding: 'utf8' }))).toEqual({
    valid: true,
  })
})

test('it has an operation for each endpoint, with a name of its own and the parameters of its row', () => {
  const operations = rows.map(operationOf)
  expect(new Set(operations.map(operation => operation?.operationId)).size).toBe(44)
  expect(Object.values(shipped.paths).flatMap(Object.values)).toHaveLength(44)
  for (const [index, row] of rows.entries()) {
    const names = [...row.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
    const named = operations[index]?.parameters.map(({ name }) => name)
    expect([row.path, named]).toEqual([row.path, [...names, ...Object.keys(row.query ?? {})]])
  }
})

test('an operation says what the row says and what servers take and answer beyond it', () => {
  const anything = { description: 'free-form: any value' }
  const wanted = { type: ['string', 'null'] }
  const error = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
  const success = { type: 'object', required: ['success'], properties: { success: { type: 'boolean' } } }
  expect(operationOf(persons.split)).toEqual({
    operationId: 'personsSplit',
    tags: ['persons'],
    parameters: [
      { name: 'project_id', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'id', in: 'path', required: true, schema: { type: ['integer', 'string'] } },
      { name: 'format', in: 'query', schema: { enum: ['csv', 'json'] } },
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: {
              properties: anything,
              main_distinct_id: wanted,
              distinct_ids_to_split: { type: ['array', 'null'], items: { type: 'string' } },
            },
          },
        },
      },
    },
    responses: {
      200: {
        description: 'Done',
        content: {
          'application/json': { schema: { description: 'servers answer in shapes that the document does not show' } },
        },
      },
      201: { description: 'Done, as servers answer', content: { 'application/json': { schema: success } } },
      default: { description: 'Not done', content: error },
    },
  })
})

test('an answer that is not as documented is told from one that is', () => {
  const plugin = Object.fromEntries(Object.keys(shippedFields('Plugin')).map(name => [name, null]))
  const whole = { ...plugin, id: 1, organization_id: '0190f3c2-0000-4000-8000-000000000000' }
  expect(problemsOf(plugins.get, 200, JSON.stringify(whole))).toEqual([])
  expect(problemsOf(plugins.get, 200, JSON.stringify({ ...whole, is_global: 'yes' }))).toEqual([
    '/is_global must be boolean,null',
  ])
  expect(problemsOf(plugins.get, 200, '{"id":1}')).toHaveLength(14)
  expect(problemsOf(plugins.delete, 204, '')).toEqual([])
  expect(problemsOf(plugins.delete, 204, '{}')).toEqual(['a body'])
  expect(problemsOf(plugins.delete, 200, '')).toEqual(['no answer 200'])
  expect(problemsOf(persons.get, 200, '')).toEqual(['no body'])
  expect(problemsOf(projects.list, 404, '{"detail":5}')).toEqual(['/detail must be string,null'])
})

function shippedFields(name: string): object {
  const { components } = openapi('') as { components: { schemas: Record<string, { properties: object }> } }
  return components.schemas[name]?.properties ?? {}
}
