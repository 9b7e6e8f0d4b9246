import { expect, test } from 'vitest'
import { nearest } from '../../src/text/nearest.ts'

test.each([
  ['lsit', 'list'],
  ['LIST', 'list'],
  ['timezon', 'timezone'],
  ['id', 'id'],
  ['xy', undefined],
  ['something', undefined],
])('the suggestion for %j is %j', (typed, suggested) => {
  expect(nearest(typed, ['list', 'timezone', 'id'])).toBe(suggested)
})

test('without choices there is no suggestion', () => {
  expect(nearest('list', [])).toBeUndefined()
})
