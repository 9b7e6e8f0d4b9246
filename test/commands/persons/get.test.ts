import { expect, test } from 'vitest'
import { json, notFound, personRow } from '../../server.ts'
import { startService } from '../../service.ts'

async function get(...words: string[]) {
  const { world, env } = await startService(({ path }, response) => {
    const id = Number(path.match(/persons\/(\d+)\/$/)?.[1])
    if (id === 999) return notFound(response)
    if (id === 500) return json(response, {}, 500)
    json(response, personRow(id))
  })
  return world.run(['persons', 'get', ...words, '-o', 'ids'], { env })
}

test('get of several names those that are missing, with --quiet too', async () => {
  const ran = await get('1', '999', '2', '--quiet')
  expect(ran).toMatchObject({ code: 3, stdout: '1\n2\n' })
  expect(ran.stderr).toMatch(/Person 999 of project \d+ was not found/)
})

test('get of several prints those that were read before the service failed', async () => {
  expect(await get('1', '2', '500', '3', '--retries', '0')).toMatchObject({ code: 7, stdout: '1\n2\n' })
})
