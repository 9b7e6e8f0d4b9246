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
