import { expect, test } from 'vitest'
import { refuseCount } from '../../src/runs/limits.ts'
import { countOf } from '../../src/text/grouped.ts'

test('what is counted is written in groups of three digits', () => {
  const counted = [0, 1, 999, 1000, 1_234_567].map(count => countOf(count, 'line', 'lines'))
  expect(counted).toEqual(['0 lines', '1 line', '999 lines', '1,000 lines', '1,234,567 lines'])
  expect(() => refuseCount(12_000, { expect: 10_000, max: undefined })).toThrow('Found 12,000 targets, expected 10,000')
})
