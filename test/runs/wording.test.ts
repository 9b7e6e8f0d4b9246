import { expect, test } from 'vitest'
import { describeOutcome } from '../../src/runs/wording.ts'

const counted = (count: number) => `${count} persons`
const counts = { deleted: 20, updated: 0, gone: 1, failed: 1, left: 0, uncertain: 0 }

test('the summary of a resume counts the whole job, and the targets of this process', () => {
  expect(describeOutcome('Deleted', counted, counts, { ms: 2000, worked: 22 })).toBe(
    'Deleted 20 of 22 persons, 1 not found, 1 failed (2 s, 11/s)',
  )
  expect(describeOutcome('Deleted', counted, counts, { ms: 2000, worked: 10 })).toBe(
    'Deleted 20 of 22 persons, 1 not found, 1 failed (10 in 2 s, 5/s)',
  )
})

test('targets whose write got no response may be done', () => {
  const stopped = { ...counts, gone: 0, failed: 0, left: 10, uncertain: 8 }
  expect(describeOutcome('Deleted', counted, stopped, { ms: 2000, worked: 20 })).toBe(
    'Deleted 20 of 30 persons, 10 pending, 8 of them may be done (2 s, 10/s)',
  )
})
