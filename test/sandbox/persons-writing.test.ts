import { describe, expect, test } from 'vitest'
import { readMembers, writeMembers } from '../../src/sandbox/members.ts'
import * as fc from '../fast-check.ts'
import { visit } from './visit.ts'

const ada = '/api/projects/1/persons/55/'

async function propertiesOf(here: Awaited<ReturnType<typeof visit>>, path = ada): Promise<string> {
  return readMembers((await here.ask('GET', path)).text).get('properties') ?? ''
}

describe('setting properties', () => {
  test('merges, and keeps the order and every number as it stands', async () => {
    const here = await visit()
    const path = '/api/projects/1/persons/31/'
    const { status, text } = await here.ask('PATCH', path, '{"properties":{"plan":"pro","discount":2.50,"new":1.0}}')
    expect(status).toBe(200)
    expect(readMembers(text).get('properties')).toBe(
      '{"email":"grace@example.com","name":"Grace Hopper","loyalty_number":9007199254740993,"discount":2.50,' +
        '"balance":-0.0,"smallest":1e-7,"largest":1.7976931348623157e308,"beyond":1e400,"plan":"pro","new":1.0}',
    )
  })

  test('gives back any JSON as it was sent', async () => {
    const here = await visit()
    const number = fc.stringMatching(/^-?(0|[1-9]\d{0,25})(\.\d{1,20})?(e[+-]?\d{1,3})?$/)
    const name = fc.oneof(
      fc.string({ unit: fc.character }),
      fc.constantFrom('__proto__', 'constructor', '10', '2', 'a.b', ''),
    )
    const value = fc.oneof(
      fc.string({ unit: fc.character }).map(text => JSON.stringify(text)),
      number,
      fc.json(),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, value)), async entries => {
        const sent = writeMembers(new Map(entries))
        const before = readMembers(await propertiesOf(here))
        await here.ask('PATCH', ada, `{"properties":${sent}}`)
        expect(await propertiesOf(here)).toBe(writeMembers(new Map([...before, ...new Map(entries)])))
      }),
      { numRuns: 60 },
    )
  })

  test('takes nothing but an object', async () => {
    const here = await visit()
    const before = await propertiesOf(here)
    for (const body of ['{}', '{"properties":null}', '{"properties":[]}', '{"properties":1.0}', '{"properties":"x"}']) {
      expect((await here.ask('PATCH', ada, body)).json).toMatchObject({ attr: 'properties' })
    }
    expect((await here.ask('PATCH', ada, '{"propertys":{}}')).json).toMatchObject({ attr: 'propertys' })
    expect(await propertiesOf(here)).toBe(before)
  })

  test('takes key and value from the query, and from the body before it', async () => {
    const here = await visit()
    await here.ask('POST', `${ada}update_property/?key=points&value=42`)
    expect(await propertiesOf(here)).toMatch(/"points":"42"}$/)
    await here.ask('POST', `${ada}update_property/?key=points&value=42`, '{"key":"points","value":42.0}')
    expect(await propertiesOf(here)).toMatch(/"points":42\.0}$/)
    const { status, json } = await here.ask('POST', `${ada}update_property/`, '{"key":"points","value":null}')
    expect([status, json.attr]).toEqual([400, 'value'])
  })

  test('removes one property, and says nothing of one that is not there', async () => {
    const here = await visit()
    await here.ask('POST', `${ada}delete_property/?$unset=plan`)
    const left = await propertiesOf(here)
    expect(left).not.toContain('"plan"')
    expect((await here.ask('POST', `${ada}delete_property/`, '{"$unset":"plan"}')).status).toBe(200)
    expect(await propertiesOf(here)).toBe(left)
  })
})

describe('in the observed dialect', () => {
  test('a change is accepted first and made two seconds later', async () => {
    const here = await visit({ dialect: 'observed' })
    const { status, text } = await here.ask('PATCH', ada, '{"properties":{"plan":"library","n":9007199254740993}}')
    expect([status, text]).toEqual([202, ''])
    expect(await propertiesOf(here)).toContain('"plan":"pro"')
    here.now += 2000
    expect(await propertiesOf(here)).toMatch(/"plan":"library".*"n":9007199254740993}$/)
  })

  test('what was accepted does not undo what came after it', async () => {
    const here = await visit({ dialect: 'observed' })
    await here.ask('POST', `${ada}update_property/`, '{"key":"plan","value":"library"}')
    await here.ask('POST', `${ada}delete_property/`, '{"$unset":"plan"}')
    here.now += 60_000
    expect(await propertiesOf(here)).not.toContain('"plan"')
  })

  test('key, value and $unset are read from the body only', async () => {
    const { ask } = await visit({ dialect: 'observed' })
    expect((await ask('POST', `${ada}update_property/?key=a&value=b`)).json).toMatchObject({ attr: 'value' })
    expect((await ask('POST', `${ada}delete_property/?$unset=plan`)).status).toBe(500)
  })

  test('a format breaks the answer to a write that is done', async () => {
    const here = await visit({ dialect: 'observed' })
    expect((await here.ask('DELETE', `${ada}?format=csv`)).status).toBe(500)
    expect((await here.ask('GET', ada)).status).toBe(404)
  })
})

describe.each(['documented', 'observed'] as const)('splitting, %s', dialect => {
  test('with a main distinct id keeps the properties with it', async () => {
    const here = await visit({ dialect })
    const before = await propertiesOf(here)
    await here.ask('POST', `${ada}split/`, '{"main_distinct_id":"ada-phone"}')
    expect((await here.get(ada)).distinct_ids).toEqual(['ada-phone'])
    expect(await propertiesOf(here)).toBe(before)
    const { results } = await here.get('/api/projects/1/persons/?distinct_id=1815-12-10')
    expect(results).toMatchObject([{ distinct_ids: ['1815-12-10'], properties: {} }])
  })

  test('without one keeps one distinct id, and the properties only on newer servers', async () => {
    const here = await visit({ dialect })
    const before = await propertiesOf(here)
    await here.ask('POST', `${ada}split/`, '{}')
    expect((await here.get(ada)).distinct_ids).toEqual(['ada'])
    expect(await propertiesOf(here)).toBe(dialect === 'documented' ? '{}' : before)
  })
})

test('a main distinct id of somebody else is refused as documented, and as observed leaves the person none', async () => {
  const other = '{"main_distinct_id":"reader-grace"}'
  const documented = await visit()
  const { status, json } = await documented.ask('POST', `${ada}split/`, other)
  expect([status, json.attr]).toEqual([400, 'main_distinct_id'])
  expect((await documented.get(ada)).distinct_ids).toEqual(['ada', 'ada-phone', '1815-12-10'])
  const observed = await visit({ dialect: 'observed' })
  await observed.ask('POST', `${ada}split/`, other)
  expect((await observed.get(ada)).distinct_ids).toEqual([])
  expect((await observed.get('/api/projects/1/persons/?distinct_id=reader-grace')).results).toHaveLength(1)
})

describe('deleting', () => {
  test('takes away the person, once', async () => {
    const { ask, get } = await visit()
    expect((await ask('DELETE', ada)).status).toBe(204)
    expect((await ask('DELETE', ada)).status).toBe(404)
    expect((await get('/api/projects/1/persons/?search=ada')).count).toBe(0)
  })

  test('wants a boolean for delete_events', async () => {
    const { ask } = await visit()
    const { status, json } = await ask('DELETE', `${ada}?delete_events=maybe`)
    expect([status, json.attr]).toEqual([400, 'delete_events'])
    expect((await ask('GET', ada)).status).toBe(200)
  })
})
