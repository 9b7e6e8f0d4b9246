import { expect, test } from 'vitest'
import { cells, cut, cutPath, fold } from '../../src/text/cells.ts'
import { escapeControls } from '../../src/text/escape-controls.ts'
import * as fc from '../fast-check.ts'

test.each([
  ['Ada', 3],
  ['Jose\u0301', 4],
  ['日本', 4],
  ['ﾊﾝｶｸ', 4],
  ['각', 2],
  ['\u1100\u1161\u11a8', 2],
  ['שָׁלוֹם', 4],
  ['😀', 2],
  ['🫠', 2],
  ['👍🏽', 2],
  ['👩‍👧', 2],
  ['👩‍❤️‍👨', 2],
  ['❤️‍🔥', 2],
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

test('text is cut to a width, and says so', () => {
  expect(cut('Ada Lovelace', 12)).toBe('Ada Lovelace')
  expect(cut('Ada Lovelace', 8)).toBe('Ada Lov…')
  expect(cut('日本語日本語', 6)).toBe('日本…')
  expect(cut('Jose\u0301 Garci\u0301a', 5)).toBe('Jose\u0301…')
})

test.each([
  [60, '/api/projects/1/persons/37/delete_property/?%24unset=plan'],
  [50, '…jects/1/persons/37/delete_property/?%24unset=plan'],
  [30, '…37/delete_property/?%24unset…'],
])('a path of at most %i cells keeps the id at its end, and where its query begins', (width, shown) => {
  expect(cutPath('/api/projects/1/persons/37/delete_property/?%24unset=plan', width)).toBe(shown)
})

test('a path without a query is cut at its beginning', () => {
  expect(cutPath('/api/projects/1/persons/37/', 15)).toBe('…/1/persons/37/')
})

test('an emoji of several parts is never cut in two', () => {
  expect(cut('👩‍👧‍👦👩‍👧‍👦', 3)).toBe('👩‍👧‍👦…')
  expect(fold('👩‍👧‍👦👩‍👧‍👦', 3)).toEqual(['👩‍👧‍👦', '👩‍👧‍👦'])
})

test('text is folded to a width, and nothing is lost', () => {
  expect(fold('0123456789', 4)).toEqual(['0123', '4567', '89'])
  expect(fold('日本語', 5)).toEqual(['日本', '語'])
  expect(fold('', 5)).toEqual([''])
})

const any = fc.string({ unit: fc.character, maxLength: 60 })
const width = fc.integer({ min: 4, max: 40 })

test('whatever the text, cutting and folding keep to the width', () => {
  fc.assert(
    fc.property(any.map(escapeControls), width, (text, most) => {
      expect(cells(cut(text, most))).toBeLessThanOrEqual(most)
      for (const line of fold(text, most)) expect(cells(line)).toBeLessThanOrEqual(most)
      expect(fold(text, most).join('')).toBe(text)
    }),
    { numRuns: 500 },
  )
})
