import { describe, expect, test } from 'vitest'
import { endpoints } from '../../src/api/endpoints.ts'
import { endpointNamed, idsOf, namesIn, rows } from './endpoint-rows.ts'
import { visit } from './visit.ts'

test('the table holds every endpoint once', () => {
  const all = Object.entries(endpoints).flatMap(([group, own]) => Object.keys(own).map(name => `${group}.${name}`))
  expect(all).toHaveLength(44)
  expect(rows.map(([name]) => name).sort()).toEqual(all.sort())
})

describe.each(['documented', 'observed'] as const)('in the %s dialect', dialect => {
  test('every endpoint answers as it should', async () => {
    const { ask, get, sandbox } = await visit({ dialect })
    const definitions = await get('/api/projects/1/event_definitions/')
    for (const [name, documented, observed, { query = '', body } = {}] of rows) {
      const row = endpointNamed(name)
      const ids = idsOf(name.split('.')[0] ?? '', sandbox.organization, String(definitions.results[0]?.id))
      const path = row.path.replace(/:(\w+)/g, (_, parameter) => ids[parameter] ?? '')
      const { status, text } = await ask(row.method, path + query, body)
      const expected = dialect === 'documented' ? documented : observed
      expect([name, status, text === '' ? '' : namesIn(JSON.parse(text))]).toEqual([name, ...expected])
    }
  })
})
