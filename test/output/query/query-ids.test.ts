/** `--query` with `-o ids`: what has no id names nothing, or is the fault of the query; never of a write that was done. */
import { expect, test } from 'vitest'
import { json, personRow } from '../../server.ts'
import { startService } from '../../service.ts'

const service = (count: number) =>
  startService(({ method, path }, response) => {
    if (method === 'DELETE') return void response.writeHead(204).end()
    if (method === 'POST') return json(response, { id: 7, name: 'New' }, 201)
    const results = Array.from({ length: count }, (_, i) => ({ ...personRow(i + 1), name: `P${i + 1}` }))
    json(response, path.endsWith('/persons/') ? { count, next: null, previous: null, results } : personRow(1))
  })

test.each([
  [2, 'persons list -o ids --query', "[?name=='P2']", 0, '2\n'],
  [2, 'persons list -o ids --query', '[].missing', 0, ''],
  [2, 'persons list -o ids --query', "[?name=='zz'] | [0]", 0, ''],
  [0, 'persons list -o ids --query', '[0]', 0, ''],
  [2, 'persons list -o ids --query', '[].[id,name]', 2, ''],
  [2, 'persons list -o ids --query', '[].{name: name}', 2, ''],
  [2, 'persons delete 1 2 --yes -q -o ids --query', '[0].missing', 0, ''],
  [2, 'persons delete 1 2 --yes -q -o ids --query', "[?status=='failed'] | [0]", 0, ''],
  [2, 'persons delete 1 2 --yes -q -o ids --query', '[[0], {n: id}]', 0, '1\n'],
  [2, 'projects create --name New -q -o ids --query', 'missing', 0, ''],
  [2, 'projects create --name New -q -o ids --query', '{name: name}', 0, ''],
  [2, 'api DELETE /api/projects/1/persons/1/ --yes -q -o ids --query', 'missing', 0, ''],
])('of %i persons: %s %j', async (count, line, query, code, stdout) => {
  const { world, env } = await service(count)
  const ran = await world.run([...line.split(' '), query], { env })
  expect([ran.code, ran.stdout]).toEqual([code, stdout])
  const isSaid = code === 2 || query.includes('{')
  expect(ran.stderr.includes('The --query gives a value without id')).toBe(isSaid)
})

test.each([
  ["[?name=='zz']", 'id,name,distinct_ids,properties,created_at,uuid\n'],
  ["sort_by([?name=='zz'], &id) | reverse(@)", 'id,name,distinct_ids,properties,created_at,uuid\n'],
  ["[?name=='zz'].{e: properties.email, n: name}", 'e,n\n'],
  ["[?name=='zz'] | [].{e: properties.email}", 'e\n'],
  ["[?name=='zz'].id", ''],
  ["[?name=='zz'].[id, name]", ''],
])('csv of a query that finds nothing: %s has its own header or none', async (query, stdout) => {
  const { world, env } = await service(2)
  expect((await world.run(['persons', 'list', '-o', 'csv', '--query', query], { env })).stdout).toBe(stdout)
})
