/** Event definitions are found by their exact names, with few requests. */
import { expect, test } from 'vitest'
import { json } from '../server.ts'
import { startService } from '../service.ts'

const definitions = Array.from({ length: 2000 }, (_, i) => ({ id: i + 1, name: `event ${i}`, tags: [] }))

const service = () =>
  startService(({ method, path, query, body }, response) => {
    const id = Number(/event_definitions\/(\d+)\/$/.exec(path)?.[1])
    if (method === 'PATCH') return json(response, { ...definitions[id - 1], ...JSON.parse(body) })
    if (id > 0) return json(response, definitions[id - 1])
    const [limit, offset] = [Number(query.get('limit') ?? 100), Number(query.get('offset') ?? 0)]
    const next = offset + limit < definitions.length ? `?limit=${limit}&offset=${offset + limit}` : null
    json(response, { count: 2000, next, previous: null, results: definitions.slice(offset, offset + limit) })
  })

test.each(['--by-name=event 17', 'event 17'])('one of 2,000 is found by %j with at most 3 requests', async word => {
  const { server, world, env } = await service()
  expect(await world.run(['event-definitions', 'get', word, '-o', 'ids'], { env })).toMatchObject({ stdout: '18\n' })
  expect(server.asked.length).toBeLessThanOrEqual(3)
})

test('a name is compared letter by letter, and one that nobody has is said to be so', async () => {
  const { world, env, sent } = await service()
  for (const name of ['Event 17', 'event 17 ', 'event\u00a017', 'event']) {
    const argv = ['event-definitions', 'delete', '--by-name', name, '--by-name', 'event 1', '--yes']
    expect([name, (await world.run(argv, { env })).code, sent()]).toEqual([name, 3, []])
  }
})

test('a name of several is refused, with their ids', async () => {
  const { world, env, sent } = await startService((_, response) =>
    json(response, { next: null, results: [1, 2].map(id => ({ id, name: 'order' })) }),
  )
  const { code, stderr } = await world.run(['event-definitions', 'delete', '--by-name', 'order', '--yes'], { env })
  expect([code, sent(), stderr]).toEqual([10, [], expect.stringContaining('are called "order": 1, 2')])
})

test('a tag is added to 50 of 2,000 definitions with at most 104 requests', async () => {
  const { server, world, env } = await service()
  const names = definitions.slice(0, 50).flatMap(({ name }) => ['--by-name', name])
  const argv = ['event-definitions', 'update', ...names, '--add-tag', 'web', '--yes']
  expect(await world.run(argv, { env })).toMatchObject({ code: 0, stdout: 'updated  50\n' })
  expect(server.asked.length).toBeLessThanOrEqual(104)
})
