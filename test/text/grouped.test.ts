import { expect, test } from 'vitest'
import { countOf } from '../../src/text/grouped.ts'

test('counts are written in groups of three digits', () => {
  const counted = [0, 1, 999, 1000, 1_234_567].map(count => countOf(count, 'line', 'lines'))
  expect(counted).toEqual(['0 lines', '1 line', '999 lines', '1,000 lines', '1,234,567 lines'])
})
