import { expect, test } from 'vitest'
import { itemOf } from '../../src/json/read-item.ts'
import { splitResult } from '../../src/operations/split-person.ts'
import { json, personRow } from '../server.ts'
import { accepting, startService } from '../service.ts'

const person = (...ids: readonly string[]) => itemOf({ distinct_ids: ids })

test.each([
  [['ada'], 'ada keeps the properties; no new person; this cannot be undone'],
  [['ada', 'b'], 'ada keeps the properties; 1 new person without properties: b; this cannot be undone'],
  [
    ['b', 'c', 'ada', 'd', 'e', 'f', 'g', 'h'],
    'ada keeps the properties; 7 new persons without properties: b, c, d, e, f and 2 more; this cannot be undone',
  ],
  [
    ['ada', 'x'.repeat(400)],
    `ada keeps the properties; 1 new person without properties: ${'x'.repeat(39)}…; this cannot be undone`,
  ],
])('a split of %j', (ids, sentence) => {
  expect(splitResult({ mainDistinctId: 'ada' }, person(...ids))).toBe(sentence)
})

test('without a main distinct id all persons that come of it are without properties', () => {
  expect(splitResult({ mainDistinctId: undefined }, person('ada', 'b'))).toBe(
    'Nobody keeps the properties; 2 persons without properties: ada, b; this cannot be undone',
  )
})

test('nothing is said of a record that does not tell the distinct ids', () => {
  expect(splitResult({ mainDistinctId: 'ada' }, itemOf({ id: 1 }))).toBeUndefined()
})

const own = Array.from({ length: 1500 }, (_, i) => `ada-${i}`)

/** Person 1, whose list item would hold the first 1,000 of these distinct ids. */
const ofAda = (distinct_ids: unknown) =>
  startService((asked, response) =>
    asked.method === 'GET' ? json(response, { ...personRow(1), distinct_ids }) : accepting(asked, response),
  )

test.each([
  ['', 'y'],
  [' --yes', undefined],
  [' --dry-run', undefined],
  [' --dry-run --yes', undefined],
])('a split by a distinct id of somebody else is refused, and nothing is sent: with "%s"', async (options, answer) => {
  const { run, sent } = await ofAda(own)
  const asked = answer === undefined ? {} : { answers: [answer] }
  const { code, stderr } = await run(`persons split 1 --main-distinct-id adda-7${options}`, asked)
  expect([code, sent()]).toEqual([10, []])
  expect(stderr).toContain('nobody would keep the properties.\nDid you mean ada-7?')
})

test.each([null, undefined, []])('a person whose distinct ids are %j is not split by one', async distinctIds => {
  const { run, sent } = await ofAda(distinctIds)
  expect([(await run('persons split 1 --main-distinct-id ada --yes')).code, sent()]).toEqual([10, []])
})

test.each([
  'y',
  undefined,
])('a split by the last of many distinct ids is sent, whether asked or not: %s', async answer => {
  const { run, sent } = await ofAda(own)
  const line = `persons split 1 --main-distinct-id ada-1499${answer === undefined ? ' --yes' : ''}`
  const { code } = await run(line, answer === undefined ? {} : { answers: [answer] })
  expect([code, sent().length]).toEqual([0, 1])
})

/** The properties are there until they were read so many times after the split. */
const wipesAfter = (reads: number) => {
  let left = Number.POSITIVE_INFINITY
  return startService((asked, response) => {
    if (asked.method === 'POST') left = reads
    if (asked.method !== 'GET') return json(response, { success: true }, 201)
    json(response, { ...personRow(1), properties: left-- > 0 ? { plan: 'pro', email: 'ada@example.com' } : {} })
  })
}

test.each([
  [0, 0],
  [1, 500],
  [4, 7000],
])('a wiping split whose properties are there for %i more reads is done after %i ms', async (reads, ms) => {
  const { run, world } = await wipesAfter(reads)
  expect((await run('persons split 1 --wipe-properties --yes')).code).toBe(0)
  expect(world.sleeps.reduce((sum, one) => sum + one, 0)).toBe(ms)
})

test('a wiping split of a server that keeps the properties is accepted and not applied, and says what takes them away', async () => {
  const { run, world, sent } = await wipesAfter(99)
  const { code, stderr } = await run('persons split 1 --wipe-properties --yes')
  expect([code, sent().length]).toEqual([5, 1])
  expect(stderr).toContain('the service kept 2 properties')
  expect(stderr).toContain('analytics persons delete-property 1 --key KEY')
  expect(world.sleeps.reduce((sum, one) => sum + one, 0)).toBe(7000)
})

test('a dry run of a wiping split looks at nothing afterwards', async () => {
  const { run, world, sent } = await wipesAfter(99)
  expect((await run('persons split 1 --wipe-properties --dry-run')).code).toBe(0)
  expect([sent(), world.sleeps]).toEqual([[], []])
})
