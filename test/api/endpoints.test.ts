import { expect, test } from 'vitest'
import { type Endpoint, endpoints } from '../../src/api/endpoints.ts'
import { eventDefinition, person, plugin, project, projectListItem, writableOf } from '../../src/api/resources.ts'
import { isSecretName } from '../../src/secrets/secret-names.ts'

const rows: Endpoint[] = Object.values(endpoints).flatMap(group => Object.values<Endpoint>(group))
const named = rows.map(row => [`${row.method} ${row.path}`, row] as const)

test('the service offers 44 endpoints: 22 for persons, 13 for plugins, 4 for event definitions, 5 for projects', () => {
  const counts = Object.entries(endpoints).map(([name, group]) => [name, Object.keys(group).length])
  expect(Object.fromEntries(counts)).toEqual({ persons: 22, plugins: 13, eventDefinitions: 4, projects: 5 })
  expect(new Set(named.map(([name]) => name)).size).toBe(44)
})

test.each(named)('%s ends with a slash, and only writes have a body', (_, row) => {
  expect(row.path).toMatch(/^\/api\/(:?[a-z_]+\/)+$/)
  if (row.body) expect(['POST', 'PATCH']).toContain(row.method)
})

test('32 fields of a project can be written, 10 of a plugin, 5 of an event definition, 1 of a person', () => {
  const count = (resource: Parameters<typeof writableOf>[0]) => Object.keys(writableOf(resource)).length
  expect([project, plugin, eventDefinition, person].map(count)).toEqual([32, 10, 5, 1])
})

test('a project is listed with 11 of its fields, and has two secrets', () => {
  expect(Object.keys(projectListItem)).toHaveLength(11)
  expect(Object.keys(project).filter(isSecretName)).toEqual(['api_token', 'slack_incoming_webhook'])
})
