import { expect, test } from 'vitest'
import { splitResult } from '../../src/operations/split-person.ts'

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
