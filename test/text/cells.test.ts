import { expect, test } from 'vitest'
import { cells, cut } from '../../src/text/cells.ts'
import { escapeControls } from '../../src/text/escape-controls.ts'
import * as fc from '../fast-check.ts'

test.each([
  ['Ada', 3],
  ['Jose\u0301', 4],
  ['日本', 4],
  ['ﾊﾝｶｸ', 4],
  ['각', 2],
  ['😀', 2],
  ['👍🏽', 2],
  ['👩‍👧', 2],
  ['👩‍❤️‍👨', 2],
  ['🏃🏽‍♀️', 2],
  ['👩‍👧 x', 4],
  ['🇩🇪', 2],
  ['❤', 1],
  ['❤️', 2],
  ['1️⃣', 2],
  ['𝒳', 1],
  ['𠮷', 2],
])('%s takes %i cells', (text, width) => {
  expect(cells(text)).toBe(width)
})

test('cut text ends with an ellipsis', () => {
  expect(cut('Ada Lovelace', 12)).toBe('Ada Lovelace')
  expect(cut('Ada Lovelace', 8)).toBe('Ada Lov…')
  expect(cut('日本語日本語', 6)).toBe('日本…')
  expect(cut('Jose\u0301 Garci\u0301a', 5)).toBe('Jose\u0301…')
})

test('never cuts an emoji of several parts', () => {
  expect(cut('👩‍👧‍👦👩‍👧‍👦', 3)).toBe('👩‍👧‍👦…')
})

const any = fc.string({ unit: fc.character, maxLength: 60 })
const width = fc.integer({ min: 4, max: 40 })

test('cut text never exceeds the width', () => {
  fc.assert(
    fc.property(any.map(escapeControls), width, (text, most) => {
      expect(cells(cut(text, most))).toBeLessThanOrEqual(most)
    }),
    { numRuns: 500 },
  )
})
