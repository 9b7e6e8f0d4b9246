import { expect, test } from 'vitest'
import { describeOutcome } from '../../src/runs/wording.ts'

test('targets whose write got no response may be done', () => {
  const counts = { deleted: 20, updated: 0, gone: 0, failed: 1, left: 10, uncertain: 8 }
  expect(describeOutcome('Deleted', count => `${count} persons`, counts, 2000)).toBe(
    'Deleted 20 of 31 persons, 1 failed, 10 pending, 8 of them may be done (2 s)',
  )
})
