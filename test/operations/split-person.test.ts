import { expect, test } from 'vitest'
import { splitResult } from '../../src/operations/split-person.ts'
import { json, personRow } from '../server.ts'
import { accepting, startService } from '../service.ts'

const person = (...ids: readonly string[]) => Buffer.from(JSON.stringify({ distinct_ids: ids }))

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
  expect(splitResult({}, person('ada', 'b'))).toBe(
    'Nobody keeps the properties; 2 persons without properties: ada, b; this cannot be undone',
  )
})

test('nothing is said of a record that does not tell the distinct ids', () => {
  expect(splitResult({ mainDistinctId: 'ada' }, Buffer.from('{"id":1}'))).toBeUndefined()
})

test('a split by none of the distinct ids of the person is refused where the person is shown: nobody would keep the properties', async () => {
  const own = ['ada', 'ada-phone']
  const { run, sent } = await startService((asked, response) =>
    asked.method === 'GET' ? json(response, { ...personRow(1), distinct_ids: own }) : accepting(asked, response),
  )
  for (const line of ['persons split 1 --main-distinct-id adda', 'persons split 1 --main-distinct-id adda --dry-run']) {
    const { code, stderr } = await run(line, { answers: ['y'] })
    expect([code, stderr]).toEqual([
      10,
      expect.stringContaining('nobody would keep the properties.\nDid you mean ada?'),
    ])
  }
  expect(sent()).toEqual([])
  const { code, stderr } = await run('persons split 1 --main-distinct-id ada-phone', { answers: ['y'] })
  const result = 'ada-phone keeps the properties; 1 new person without properties: ada; this cannot be undone'
  expect([code, stderr]).toEqual([0, expect.stringContaining(result)])
  expect(sent()).toHaveLength(1)
})
