import { expect, test } from 'vitest'
import { json, personRow } from '../server.ts'
import { startService } from '../service.ts'
import { newWorld } from '../world.ts'

const sandbox = (line: string, query: string, world = newWorld()) =>
  world.run(['--sandbox', ...line.split(' '), '--query', query])

test.each([
  ['length(@)', '55\n'],
  ['[0].id', '55\n'],
  ['[?id==`55`].name', '[\n"Ada Lovelace"\n]\n'],
  ['[?name==`Ada Lovelace`].id', '[\n55\n]\n'],
  ['sort_by(@, &created_at)[0].nothing', 'null\n'],
  ['results[].id', 'null\n'],
  ["[?created_at>'2020-01-01']", '[]\n'],
  ['`{"type":"Function","name":"x"}`.name', '"x"\n'],
])('persons list --query %s sees the whole list and prints what JMESPath gives', async (query, stdout) => {
  expect(await sandbox('persons list --all -o json', query)).toMatchObject({ code: 0, stdout })
})

test('integers beyond 2^53 reach a query as exact strings', async () => {
  const { world, env } = await startService((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end('{"id":1,"properties":{"n":9007199254740993}}')
  })
  const ran = await world.run(['persons', 'get', '1', '-o', 'json', '--query', 'properties.n'], { env })
  expect(ran.stdout).toBe('"9007199254740993"\n')
})

test('records that a query selects keep their columns, new values have their own', async () => {
  const csv = async (query: string) => (await sandbox('persons list -o csv', query)).stdout.split('\n')[0]
  expect(await csv('[?id==`55`]')).toBe('id,name,distinct_ids,properties,created_at,uuid')
  expect(await csv('[].{n: name, id: id}')).toBe('n,id')
  expect(await csv('[?id==`0`].{n: name}')).toBe('')
})

test.each([
  '[?',
  '',
  'no_such_function(@)',
  '[].{n: lenght(name)}',
])('--query %j is refused before any request', async query => {
  const { world, env, server } = await startService((_, response) => json(response, personRow(1)))
  const ran = await world.run(['persons', 'update', '1', '--set', 'a=b', '--query', query], { env })
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('The --query is not JMESPath')])
  expect(server.asked).toEqual([])
})

test('a query that does not fit the result is refused, and only warned of after a write', async () => {
  expect(await sandbox('persons list', 'sum([].name)')).toMatchObject({ code: 2, stdout: '' })
  const written = await sandbox('persons delete 3 4 --yes -o json', 'sum([].id)')
  expect([written.code, written.stdout]).toEqual([0, 'null\n'])
  expect(written.stderr).toContain('does not fit the result')
})

test('a bulk write with a query says how many targets it changes, and changes all of them', async () => {
  const world = newWorld()
  const ran = await sandbox('persons update 3 4 --set a=b --yes -o json', "[?id=='3'].status", world)
  expect([ran.code, ran.stdout]).toEqual([0, '[\n"updated"\n]\n'])
  expect(ran.stderr).toContain('2 persons')
  expect(await sandbox('persons list --property a=b -o json', 'length(@)', world)).toMatchObject({ stdout: '2\n' })
})

test.each([
  "[?name=='Ada Lovelace']",
  '[?id==`55`].id | [0]',
  "{a: [?id > '3'].id}.a",
])('with -o ids a filter in a query is refused and names --where: %s', async query => {
  for (const line of ['persons list -o ids', 'persons delete 1 2 --yes -o ids']) {
    const { code, stdout, stderr } = await sandbox(line, query)
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('--where')])
  }
})

test.each([
  ['persons list', '[:1].id', 0, '55\n'],
  ['persons list', '[0]', 0, '55\n'],
  ['persons list', '[].missing', 0, ''],
  ['persons list', '[0].missing', 0, ''],
  ['persons list', '[].{name: name}', 2, ''],
  ['persons delete 1 2 --yes -q', '[[0], {n: id}]', 0, ''],
  ['projects create --name New -q', 'missing', 0, ''],
  ['projects create --name New -q', '{name: name}', 0, ''],
])('%s -o ids --query %s prints ids, or says that a value has none', async (line, query, code, stdout) => {
  const ran = await sandbox(`${line} -o ids`, query)
  expect([ran.code, ran.stdout]).toEqual([code, stdout])
  expect(ran.stderr.includes('a value without id')).toBe(query.includes('{'))
})

test.each([
  '[].api_token',
  '[].{t: api_token}',
  "join(', ', [].api_token)",
  "[?starts_with(api_token, 'phc_')].name",
])('a table shows a query no secret, and --reveal does: %s', async query => {
  const shown = await sandbox('projects list', query)
  const revealed = await sandbox('projects list --reveal', query)
  expect([shown.code, revealed.code]).toEqual([0, 0])
  expect(shown.stdout).not.toMatch(/phc_/)
  expect(shown.stdout).not.toBe(revealed.stdout)
})
