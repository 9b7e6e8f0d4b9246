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

test('a name is compared exactly, and an unknown one is not found', async () => {
  const { world, env, sent } = await service()
  for (const name of ['Event 17', 'event 17 ', 'event\u00a017', 'event']) {
    const argv = ['event-definitions', 'delete', '--by-name', name, '--by-name', 'event 1', '--yes']
    expect([name, (await world.run(argv, { env })).code, sent()]).toEqual([name, 3, []])
  }
})

test('a name that several definitions have is refused, with their ids', async () => {
  const { world, env, sent } = await startService((_, response) =>
    json(response, { next: null, results: [1, 2].map(id => ({ id, name: 'order' })) }),
  )
  const { code, stderr } = await world.run(['event-definitions', 'delete', '--by-name', 'order', '--yes'], { env })
  expect([code, sent(), stderr]).toEqual([10, [], expect.stringContaining('have the name "order": 1, 2')])
})

test('a name that several definitions have is refused if the lookup fails between them', async () => {
  const { run, sent } = await startService(({ query }, response) => {
    if (query.has('offset')) return json(response, { detail: 'Down.' }, 500)
    const isMany = query.has('names')
    const results = (isMany ? [1] : [1, 2]).map(id => ({ id, name: 'order' }))
    json(response, { next: isMany ? '?names=order&offset=1' : null, results })
  })
  const { code, stderr } = await run('event-definitions delete --by-name order --yes --retries 0')
  expect([code, sent(), stderr]).toEqual([10, [], expect.stringContaining('have the name "order": 1, 2')])
})

test('a tag is added to 50 of 2,000 definitions with at most 104 requests', async () => {
  const { server, world, env } = await service()
  const names = definitions.slice(0, 50).flatMap(({ name }) => ['--by-name', name])
  const argv = ['event-definitions', 'update', ...names, '--add-tag', 'web', '--yes']
  expect(await world.run(argv, { env })).toMatchObject({ code: 0, stdout: 'updated  50\n' })
  expect(server.asked.length).toBeLessThanOrEqual(104)
})

const named = (ids: readonly number[]) => ids.map(id => ({ id, name: `event ${id}`, tags: [] }))
const all = [...named(Array.from({ length: 120 }, (_, i) => i + 1)), { id: 200, name: 'a, b', tags: [] }]

/** How a server reads `names`. */
const servers: Readonly<Record<string, (names: readonly string[]) => readonly unknown[] | 'refused'>> = {
  'looks up names': names => all.filter(({ name }) => names.includes(name)),
  'looks up some of the names': names => all.filter(({ name }) => names.slice(0, 3).includes(name)),
  'looks up names in any case': names => [...named([7]), { id: 300, name: 'EVENT 7' }, ...all].slice(0, names.length),
  'finds nothing': () => [],
  'ignores names': () => all,
  'refuses names': () => 'refused',
}

test.each(
  Object.entries(servers),
)('exactly the definitions with the names are deleted on a server that %s', async (name, find) => {
  const { world, env, server, sent } = await startService(({ method, query }, response) => {
    if (method !== 'GET') return void response.writeHead(204).end()
    const asked = query.get('names')
    const results = asked === null ? all : find(asked.split(','))
    if (results === 'refused') return json(response, { detail: 'No.' }, 400)
    json(response, { next: null, results })
  })
  const wanted = [...all.slice(0, 99), { id: 200, name: 'a, b' }]
  const argv = ['event-definitions', 'delete', '--yes', ...wanted.flatMap(one => ['--by-name', one.name])]
  const { code, stdout } = await world.run(argv, { env })
  expect([code, stdout]).toEqual([0, 'deleted  100\n'])
  expect(
    sent()
      .map(({ path }) => Number(path.split('/').at(-2)))
      .toSorted((a, b) => a - b),
  ).toEqual(wanted.map(({ id }) => id))
  // Two lookups of 50 names, and the whole list for the name with a comma.
  const lists = server.asked.filter(({ method }) => method === 'GET')
  if (name === 'looks up names') expect(lists).toHaveLength(3)
  if (name === 'ignores names') expect(lists).toHaveLength(1)
})
