import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { UsageError } from '../../src/errors.ts'
import { slice } from '../../src/json/slice.ts'
import { newWorld } from '../world.ts'
import { visit } from './visit.ts'

const persons = '/api/projects/1/persons/'
const rows = (...texts: string[]) => texts.map(text => Buffer.from(text))

test('an export of one sandbox makes another hold the same', async () => {
  const first = await visit()
  await first.ask('DELETE', `${persons}7/`)
  const exported = await first.ask('GET', `${persons}?limit=1000`)

  const second = await visit()
  for (let id = 1; id <= 55; id++) await second.ask('DELETE', `${persons}${id}/`)
  expect(await second.sandbox.load(slice(Buffer.from(exported.text)).items)).toBe(54)
  expect((await second.ask('GET', `${persons}?limit=1000`)).text).toBe(exported.text)
})

test('loading the same twice changes nothing', async () => {
  const { sandbox, ask } = await visit({ dialect: 'observed' })
  const { text } = await ask('GET', `${persons}?limit=1000`)
  for (let i = 0; i < 2; i++) expect(await sandbox.load(slice(Buffer.from(text)).items)).toBe(55)
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

test('a person keeps its id where that is free, and gets another where it is not', async () => {
  const { sandbox, get } = await visit()
  await sandbox.load(
    rows(
      '{"id":4711,"distinct_ids":["a"],"properties":{"n":9007199254740993}}',
      '{"id":55,"distinct_ids":["b"]}',
      '{"id":9007199254740993,"distinct_ids":["c"]}',
    ),
  )
  expect((await get(`${persons}?distinct_id=a`)).results[0]?.id).toBe(4711)
  expect((await get(`${persons}?distinct_id=b`)).results[0]?.id).toBe(4712)
  expect((await get(`${persons}?distinct_id=c`)).results[0]?.id).toBe(4713)
  expect(await get(`${persons}55/`)).toMatchObject({ name: 'Ada Lovelace' })
})

test('a distinct id goes over to the one who is loaded with it', async () => {
  const { sandbox, get } = await visit()
  await sandbox.load(rows('{"distinct_ids":["ada-phone","x","x"],"created_at":"2026-05-01T00:00:00Z"}'))
  expect(await get(`${persons}55/`)).toMatchObject({ distinct_ids: ['ada', '1815-12-10'] })
  expect((await get(`${persons}?search=ada-phone`)).results).toMatchObject([
    { distinct_ids: ['ada-phone', 'x'], created_at: '2026-05-01T00:00:00Z', properties: {} },
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
  expect(await sandbox.load(rows(...many))).toBe(5000)
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
