import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pageIn } from '../../../src/api/page.ts'
import { UsageError } from '../../../src/errors.ts'
import { readItem } from '../../../src/json/read-item.ts'
import { newWorld } from '../../world.ts'
import { visit } from '../visit.ts'

const persons = '/api/projects/1/persons/'
const loaded = (persons: number) => ({ persons, removed: 0, renumbered: 0 })
const rows = (...texts: string[]) => texts
const rowsIn = (page: string) => pageIn(readItem(Buffer.from(page)))?.rows.map(({ text }) => text) ?? []

test('an export of one sandbox makes another hold the same', async () => {
  const first = await visit()
  await first.ask('DELETE', `${persons}7/`)
  const exported = await first.ask('GET', `${persons}?limit=1000`)

  const second = await visit()
  for (let id = 1; id <= 55; id++) await second.ask('DELETE', `${persons}${id}/`)
  expect(await second.sandbox.load(rowsIn(exported.text))).toEqual(loaded(54))
  expect((await second.ask('GET', `${persons}?limit=1000`)).text).toBe(exported.text)
})

test('loading the same twice changes nothing', async () => {
  const { sandbox, ask } = await visit({ dialect: 'observed' })
  const { text } = await ask('GET', `${persons}?limit=1000`)
  for (let i = 0; i < 2; i++) expect(await sandbox.load(rowsIn(text))).toEqual(loaded(55))
  expect((await ask('GET', `${persons}?limit=1000`)).text).toBe(text)
})

test('a list holds the first 1,000 distinct ids of a person where servers do so, and a page 100 persons', async () => {
  const ids = Array.from({ length: 1001 }, (_, i) => `device-of-many-${i}`)
  const many = JSON.stringify({ id: 5000, created_at: '2027-01-01T00:00:00Z', distinct_ids: ids })
  const others = Array.from({ length: 100 }, (_, i) => `{"distinct_ids":["other-${i}"]}`)
  for (const [dialect, listed] of [
    ['documented', 1001],
    ['observed', 1000],
  ] as const) {
    const { sandbox, get } = await visit({ dialect })
    await sandbox.load(rows(many, ...others))
    const page = await get(persons)
    expect([page.results.length, page.next === null]).toEqual([100, false])
    expect([page.results[0]?.name, page.results[0]?.distinct_ids.length]).toEqual(['device-of-many-0', listed])
    expect((await get(`${persons}5000/`)).distinct_ids).toEqual(ids)
  }
})

test('persons keep their ids: somebody of the sandbox who has one is removed, and an id that is too large is another', async () => {
  const { sandbox, get } = await visit()
  const result = await sandbox.load(
    rows(
      '{"id":4711,"distinct_ids":["a"],"properties":{"n":9007199254740993}}',
      '{"id":55,"distinct_ids":["b"]}',
      '{"id":9007199254740993,"distinct_ids":["c"]}',
      '{"id":-4,"distinct_ids":["d"]}',
    ),
  )
  expect(result).toEqual({ persons: 4, removed: 1, renumbered: 2 })
  const idOf = async (distinctId: string) => (await get(`${persons}?distinct_id=${distinctId}`)).results[0]?.id
  expect([await idOf('a'), await idOf('b'), await idOf('c'), await idOf('d')]).toEqual([4711, 55, 4712, 4713])
  expect((await get(`${persons}?search=ada@`)).count).toBe(0)
})

test('who was loaded before keeps the id of the file, also where somebody else has it', async () => {
  const { sandbox, get } = await visit()
  const uuid = '22222222-0000-4000-8000-000000000001'
  for (const id of [900, 1]) await sandbox.load(rows(`{"id":${id},"uuid":"${uuid}","distinct_ids":["paul"]}`))
  expect((await get(`${persons}?distinct_id=paul`)).results).toMatchObject([{ id: 1, uuid }])
  expect((await get(persons)).count).toBe(55)
})

test('a deletion by id that was rehearsed with an export is that of the same persons', async () => {
  const world = newWorld()
  const paul = { id: 1, uuid: '22222222-0000-4000-8000-000000000001', distinct_ids: ['paul'] }
  writeFileSync(
    join(world.folder, 'export.ndjson'),
    JSON.stringify({ ...paul, properties: { email: 'paul@example.com' } }),
  )
  const env = { ANALYTICS_SANDBOX: '1' }
  const run = (line: string) => world.run(line.split(' '), { env })
  expect((await run('sandbox load export.ndjson')).stderr).toContain(
    'Loaded 1 person\nRemoved 1 person of the sandbox, who had the same ids\n',
  )
  expect((await run('persons delete 1 --yes')).code).toBe(0)
  expect((await run('persons list --email paul@example.com -o ids')).stdout).toBe('')
})

test.each([
  ['of a file nothing', 'export.ndjson', '', 55],
  ['of a pipe what came before it, which is said', '-', 'The first 1,000 are loaded', 1055],
])('a mistake in row 1,201: %s is loaded', async (_, file, said, count) => {
  const world = newWorld()
  const text = `${Array.from({ length: 1200 }, (_, i) => `{"distinct_ids":["n${i}"]}`).join('\n')}\n{"id":1}\n`
  writeFileSync(join(world.folder, 'export.ndjson'), text)
  const { code, stderr } = await world.run(['sandbox', 'load', file], { stdin: text })
  expect([code, stderr]).toEqual([2, expect.stringMatching(new RegExp(`Row 1201 is not a person: .*\n${said}`))])
  const counted = ['--sandbox', 'persons', 'list', '--all', '-o', 'ids']
  expect((await world.run(counted)).stdout.trimEnd().split('\n')).toHaveLength(count)
})

test('a distinct id goes over to the one who is loaded with it', async () => {
  const { sandbox, get } = await visit()
  await sandbox.load(rows('{"distinct_ids":["ada-phone","x","x"],"created_at":"2026-05-01T00:00:00Z"}'))
  expect(await get(`${persons}55/`)).toMatchObject({ distinct_ids: ['ada', '1815-12-10'] })
  expect((await get(`${persons}?search=ada-phone`)).results).toMatchObject([
    { distinct_ids: ['ada-phone', 'x'], created_at: '2026-05-01T00:00:00Z', properties: {} },
  ])
})

test('times with a zone are kept in UTC, so that lists are in their order', async () => {
  const { sandbox, get } = await visit()
  await sandbox.load(
    rows(
      '{"distinct_ids":["older"],"created_at":"2027-06-02T01:00:00+05:00"}',
      '{"distinct_ids":["newer"],"created_at":"2027-06-01T22:00:00Z"}',
      '{"distinct_ids":["oldest"],"created_at":"2027-06-01T12:00:00.123456+02:00"}',
    ),
  )
  expect((await get(`${persons}?limit=3`)).results).toMatchObject([
    { created_at: '2027-06-01T22:00:00Z' },
    { created_at: '2027-06-01T20:00:00Z' },
    { created_at: '2027-06-01T10:00:00.123456Z' },
  ])
})

test('goes into the project that is named', async () => {
  const { sandbox, get } = await visit()
  await sandbox.load(rows('{"distinct_ids":["z"]}'), '2')
  expect((await get('/api/projects/2/persons/')).count).toBe(6)
  await expect(sandbox.load(rows('{"distinct_ids":["z"]}'), '9')).rejects.toThrow(UsageError)
})

test.each([
  '{"distinct_ids":["a"]',
  '[]',
  '1.0',
  '{}',
  '{"distinct_ids":"a"}',
  '{"distinct_ids":[1]}',
  '{"distinct_ids":["a"],"properties":[]}',
  '{"distinct_ids":["a"],"properties":1.0}',
  '{"distinct_ids":["a"],"created_at":"2020-13-45"}',
])('%s is no person', async text => {
  const { sandbox } = await visit()
  await expect(sandbox.load(rows('{"distinct_ids":["ok"]}', text))).rejects.toThrow(/^Row 2 is not a person/)
})

test('thousands of rows are loaded and listed in a moment', async () => {
  const { sandbox, get } = await visit()
  const many = Array.from(
    { length: 5000 },
    (_, i) => `{"distinct_ids":["n${i}"],"properties":{"email":"n${i}@example.com"}}`,
  )
  expect(await sandbox.load(rows(...many))).toEqual(loaded(5000))
  expect(await get(`${persons}?search=n4999@`)).toMatchObject({ count: 1 })
})

test('the output does not take the place of the file that is loaded', async () => {
  const world = newWorld()
  const file = join(world.folder, 'persons.ndjson')
  writeFileSync(file, '{"distinct_ids":["z"]}\n')
  const { code, stderr } = await world.run(['sandbox', 'load', file, '--output-file', file])
  expect([code, stderr]).toEqual([2, expect.stringContaining('name the same file')])
  expect(readFileSync(file, 'utf8')).toBe('{"distinct_ids":["z"]}\n')
})
