import { expect, test } from 'vitest'
import { temporaryFolder, visit } from './visit.ts'

test('the count of a list is right after a change, whoever makes it', async () => {
  const folder = temporaryFolder()
  const [one, other] = [await visit({ folder }), await visit({ folder })]
  const count = async () => (await one.get('/api/projects/1/persons/?limit=1')).count
  const first = await count()
  expect(await count()).toBe(first)
  await one.ask('DELETE', '/api/projects/1/persons/3/')
  expect(await count()).toBe(first - 1)
  await other.ask('DELETE', '/api/projects/1/persons/4/')
  expect(await count()).toBe(first - 2)
  await other.ask('DELETE', '/api/projects/1/persons/999999/')
  expect(await count()).toBe(first - 2)
})

test('names follow the settings of the project, and accepted changes the clock, whoever changes them', async () => {
  const folder = temporaryFolder()
  const [one, other] = [await visit({ folder, dialect: 'observed' }), await visit({ folder, dialect: 'observed' })]
  const path = '/api/projects/1/persons/55/'
  expect(await one.get(path)).toMatchObject({ name: 'Ada Lovelace' })
  await other.ask('PATCH', '/api/projects/1/', '{"person_display_name_properties":["email"]}')
  expect(await one.get(path)).toMatchObject({ name: 'ada@example.com' })
  await one.ask('PATCH', '/api/projects/1/', '{"person_display_name_properties":["plan"]}')
  expect(await one.get(path)).toMatchObject({ name: 'pro' })
  await other.ask('PATCH', path, '{"properties":{"plan":"free"}}')
  expect(await one.get(path)).toMatchObject({ name: 'pro' })
  other.sandbox.moveClock(other.sandbox.clockNow() + 60_000)
  expect(await one.get(path)).toMatchObject({ name: 'free' })
})

test('a project that another process deletes is gone', async () => {
  const folder = temporaryFolder()
  const [one, other] = [await visit({ folder }), await visit({ folder })]
  expect((await one.ask('GET', '/api/projects/2/')).status).toBe(200)
  await other.ask('DELETE', '/api/projects/2/')
  expect((await one.ask('GET', '/api/projects/2/')).status).toBe(404)
  expect((await one.ask('GET', '/api/projects/2/persons/')).status).toBe(404)
})
