/** Event definitions are found by their names with few requests, on servers that know `search` and on others. */
import { expect, test } from 'vitest'
import { isList, json } from '../server.ts'
import { startService } from '../service.ts'

const definitions = Array.from({ length: 2000 }, (_, i) => ({ id: i + 1, name: `event ${i}`, tags: [] }))

type Search = (name: string, search: string) => boolean

const service = (search: Search) =>
  startService(({ method, path, query, body }, response) => {
    const id = Number(/event_definitions\/(\d+)\/$/.exec(path)?.[1])
    if (method === 'PATCH') return json(response, { ...definitions[id - 1], ...JSON.parse(body) })
    if (id > 0) return json(response, definitions[id - 1])
    const text = query.get('search')
    const found = definitions.filter(({ name }) => text === null || search(name, text))
    const [limit, offset] = [Number(query.get('limit') ?? 100), Number(query.get('offset') ?? 0)]
    const next = offset + limit < found.length ? `?limit=${limit}&offset=${offset + limit}&search=${text ?? ''}` : null
    json(response, { count: found.length, next, previous: null, results: found.slice(offset, offset + limit) })
  })

const searches: readonly (readonly [string, Search, number])[] = [
  ['knows search', (name, text) => name.includes(text), 1],
  ['does not know search', () => true, 2],
  ['searches in something else', () => false, 3],
]

test.each(searches)('one of 2,000 is found where the server %s', async (_, search, lists) => {
  const { server, world, env } = await service(search)
  const argv = ['event-definitions', 'get', '--by-name', 'event 17', '-o', 'ids']
  expect(await world.run(argv, { env })).toMatchObject({ code: 0, stdout: '18\n' })
  expect(server.asked.filter(isList)).toHaveLength(lists)
})

test('a name that nobody has is said to be so, after the whole list', async () => {
  const { server, world, env } = await service((name, text) => name.includes(text))
  const ran = await world.run(['event-definitions', 'get', '--by-name', 'Event 17'], { env })
  expect([ran.code, server.asked.length]).toEqual([3, 3])
})

test('a tag is added to 50 of 2,000 definitions with at most 104 requests', async () => {
  const { server, world, env } = await service((name, text) => name.includes(text))
  const names = definitions.slice(0, 50).flatMap(({ name }) => ['--by-name', name])
  const argv = ['event-definitions', 'update', ...names, '--add-tag', 'web', '--yes']
  expect(await world.run(argv, { env })).toMatchObject({ code: 0, stdout: 'updated  50\n' })
  expect(server.asked.length).toBeLessThanOrEqual(104)
})
