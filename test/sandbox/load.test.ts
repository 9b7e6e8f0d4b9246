import { expect, test } from 'vitest'
import { posixTest } from '../posix.ts'
import { newWorld } from '../world.ts'
import { visit } from './visit.ts'

const persons = '/api/projects/1/persons/'
const uuid = '00000000-0000-4000-8000-000000000001'

test('loaded persons keep their ids, UUIDs, times, order, and every digit', async () => {
  const { sandbox, request, get } = await visit()
  const rows = [
    `{"id":7000,"uuid":"${uuid}","created_at":"2030-01-01T01:00:00+02:00","distinct_ids":["a","a"],"properties":{"n":9007199254740993,"x":1.0}}`,
    '',
    '{"id":"00000000-0000-4000-8000-000000000002","created_at":"2031-01-01T00:00:00.123456Z"}',
    '{"distinct_ids":["b"],"properties":null,"type":"person","unknown":1}',
  ]
  expect(await sandbox.load(rows)).toBe(3)
  expect(request('GET', `${persons}7000/`).text).toBe(
    `{"id":7000,"name":"a","distinct_ids":["a"],"properties":{"n":9007199254740993,"x":1.0},"created_at":"2029-12-31T23:00:00.000Z","uuid":"${uuid}"}`,
  )
  const { results, count } = get(`${persons}?limit=3`)
  expect([count, results.map(({ distinct_ids }) => distinct_ids[0])]).toEqual([58, [undefined, 'a', 'b']])
  expect(get(`${persons}?distinct_id=b`).results[0]).toMatchObject({
    id: 7002,
    created_at: '2026-05-15T12:00:00.000Z',
  })
})

posixTest('a line without an end, such as that of a device, is refused', async () => {
  const loaded = await newWorld().run(['sandbox', 'load', '/dev/zero'])
  expect([loaded.code, loaded.stderr]).toEqual([2, expect.stringContaining('/dev/zero has a line longer than 16 MB')])
})

test('a person with the same id or UUID is replaced, and a distinct id belongs to the last person with it', async () => {
  const { sandbox, get } = await visit()
  const ada = get(`${persons}55/`)
  await sandbox.load([
    '{"id":1,"distinct_ids":["ada-phone"],"properties":{"email":"new@example.com"}}',
    `{"uuid":"${ada.uuid.toUpperCase()}","distinct_ids":["ada"],"properties":{"email":"ada@example.org"}}`,
  ])
  expect(get(`${persons}1/`)).toMatchObject({ distinct_ids: ['ada-phone'], name: 'new@example.com' })
  expect(get(`${persons}55/`)).toMatchObject({ uuid: ada.uuid, distinct_ids: ['ada'], name: 'ada@example.org' })
  expect(get(`${persons}?email=ada@example.com`).count).toBe(0)
  expect(get(persons).count).toBe(55)
})

test.each([
  ['[1]', 'it is not a JSON object'],
  ['{"id":', 'it is not a JSON object'],
  ['{"distinct_ids":["a"],"distinct_ids":["b"]}', 'distinct_ids is given twice'],
  ['{"uuid":"ada","distinct_ids":["ada"]}', 'uuid must be a UUID'],
  ['{}', 'it has neither a uuid nor distinct_ids'],
  ['{"distinct_ids":[1]}', 'distinct_ids must be a list of strings'],
  ['{"distinct_ids":["a"],"properties":[]}', 'properties must be an object'],
  ['{"distinct_ids":["a"],"created_at":"soon"}', 'created_at must be a date'],
])('a file with the line %s loads nothing', async (line, why) => {
  const { sandbox, get } = await visit()
  const good = Array.from({ length: 2000 }, (_, i) => `{"distinct_ids":["row-${i}"]}`)
  const loading = sandbox.load([...good, line])
  await expect(loading).rejects.toMatchObject({
    exit: 2,
    message: expect.stringMatching(/^Line 2001( is not a person)?: /),
  })
  await expect(loading).rejects.toThrow(why)
  expect(get(persons).count).toBe(55)
})

test('persons are loaded into the given project', async () => {
  const world = newWorld()
  const run = (line: string, stdin?: string) => world.run(line.split(' '), stdin === undefined ? {} : { stdin })
  const row = '{"distinct_ids":["mary"],"properties":{"email":"mary@example.com"}}\n'
  expect((await run('sandbox load - --project 2', row)).stderr).toBe(
    'sandbox: made-up data on this machine\nLoaded 1 person\n',
  )
  expect((await run('--sandbox persons list --search mary@ -o ids --project 2')).stdout).toBe('61\n')
  expect((await run('--sandbox persons list --search mary@ -o ids')).stdout).toBe('')
  expect((await run('sandbox load - --project 9', row)).code).toBe(2)
})
