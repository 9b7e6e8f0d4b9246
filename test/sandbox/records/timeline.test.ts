import { expect, test } from 'vitest'
import { type Visit, visit } from '../visit.ts'

const ada = '/api/projects/1/persons/55/'
const points = async (here: Visit, person = ada) => (await here.get(`${person}properties_timeline/`)).points
const coupon = { newsletter: true, coupon: 'WELCOME10' }

test('what was changed of somebody is in their activity, and their properties as they were in the timeline', async () => {
  const here = await visit({ dialect: 'observed' })
  expect(await points(here)).toMatchObject([
    { timestamp: '2026-04-21T03:00:00.000Z', properties: { plan: 'free' }, relevant_event_count: 1 },
    { timestamp: '2026-04-21T03:30:00.000Z', properties: { plan: 'free', ...coupon }, relevant_event_count: 1 },
    { timestamp: '2026-04-21T04:30:00.000Z', properties: { plan: 'free', newsletter: true }, relevant_event_count: 1 },
    { timestamp: '2026-04-23T17:00:00.000Z', properties: { plan: 'pro', newsletter: true }, relevant_event_count: 0 },
  ])
  expect((await points(here))[0]?.properties).not.toHaveProperty('coupon')
  const { results } = await here.get(`${ada}activity/?limit=1`)
  const change = {
    type: 'Person',
    action: 'changed',
    field: 'properties',
    before: { plan: 'free' },
    after: { plan: 'pro' },
  }
  expect(results[0]?.detail).toMatchObject({ name: (await here.get(ada)).uuid, changes: [change] })
})

test('a change is a point once it has been made, with its numbers as they came', async () => {
  const here = await visit({ dialect: 'observed' })
  await here.ask('PATCH', ada, '{"properties":{"orders":9007199254740993,"plan":"pro"}}')
  expect(await points(here)).toHaveLength(4)
  here.now += 3000
  const { text } = await here.ask('GET', `${ada}properties_timeline/`)
  expect(JSON.parse(text).points).toHaveLength(5)
  expect(text).toContain('"orders":9007199254740993')
  expect((await here.ask('GET', `${ada}activity/?limit=1`)).text).toContain(
    '"before":{"orders":12,"plan":"pro"},"after":{"orders":9007199254740993,"plan":"pro"}',
  )
  await here.ask('POST', `${ada}delete_property/`, '{"$unset":"orders"}')
  await here.ask('POST', `${ada}delete_property/`, '{"$unset":"nothing of the name"}')
  const [, , , , made, removed, ...more] = await points(here)
  expect([made?.properties.orders, removed?.properties.orders, more]).toEqual([2 ** 53, undefined, []])
})

test('a split that wipes the properties is a point, and those before it stay', async () => {
  const here = await visit({ dialect: 'observed' })
  const before = await points(here)
  const documented = await visit({ folder: here.folder })
  await documented.ask('POST', `${ada}split/`, '{}')
  const after = await points(here)
  expect(after.slice(0, -1)).toEqual(before)
  expect(after.at(-1)).toMatchObject({ properties: {} })
})

test('a plugin that is updated tells which of its fields became what', async () => {
  const here = await visit({ dialect: 'observed' })
  const plugins = `/api/organizations/${(await here.get('/api/projects/1/')).organization}/plugins/`
  await here.ask('POST', `${plugins}4/upgrade/`)
  const { results } = await here.get(`${plugins}activity/`)
  expect(results[0]?.detail).toMatchObject({
    name: 'Taxonomy',
    changes: [{ type: 'Plugin', action: 'changed', field: 'tag', before: '0.4.0', after: '0.5.2' }],
  })
})

test('with a person goes what was changed of them: what was loaded may be real', async () => {
  const here = await visit({ dialect: 'observed' })
  await here.ask('DELETE', ada)
  const { text } = await here.ask('GET', '/api/projects/1/persons/activity/')
  expect(text).toContain('"activity":"updated"')
  expect(text).not.toContain('WELCOME10')
})
