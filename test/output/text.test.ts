import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cells, cut, fold, visible } from '../../src/output/text.ts'

test.each([
  ['a line feed, a tab', 'a\nb\tc', 'a\\nb\\tc'],
  ['an escape sequence', '\u001b[31mred', '\\u001b[31mred'],
  ['the one-byte form of one', '\u009b31m', '\\u009b31m'],
  ['a return to the start of the line', 'paid\rfree', 'paid\\rfree'],
  ['text that runs backwards', '\u202egnp.exe', '\\u202egnp.exe'],
  ['what has no width', 'a\u200bb\u2060c\ufeff', 'a\\u200bb\\u2060c\\ufeff'],
  ['what draws nothing', '\u3164\u115f\u034f', '\\u3164\\u115f\\u034f'],
  ['a line separator', 'a\u2028b', 'a\\u2028b'],
  ['half a character', '\ud83d', '\\ud83d'],
  ['tags that nobody sees', 'x\u{e0041}', 'x\\u{e0041}'],
])('%s is spelled out', (_, text, shown) => {
  expect(visible(text)).toBe(shown)
})

test.each([
  'Ada Lovelace',
  'José',
  '日本語',
  'नमस्ते',
  'שָׁלוֹם',
  '👍🏽',
  '🇩🇪',
  '❤️',
  'a\u00a0b',
  'back\\slash',
])('%s is shown as it is', text => expect(visible(text)).toBe(text))

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

test('text is folded to a width, and nothing is lost', () => {
  expect(fold('0123456789', 4)).toEqual(['0123', '4567', '89'])
  expect(fold('日本語', 5)).toEqual(['日本', '語'])
  expect(fold('', 5)).toEqual([''])
})

const any = fc.string({ unit: 'binary', maxLength: 60 })
const width = fc.integer({ min: 4, max: 40 })

test('whatever the text, what is shown holds nothing alive, and showing it again changes nothing', () => {
  fc.assert(
    fc.property(any, text => {
      const shown = visible(text)
      expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
      expect(visible(shown)).toBe(shown)
    }),
    { numRuns: 500 },
  )
})

test('whatever the text, cutting and folding keep to the width', () => {
  fc.assert(
    fc.property(any.map(visible), width, (text, most) => {
      expect(cells(cut(text, most))).toBeLessThanOrEqual(most)
      for (const line of fold(text, most)) expect(cells(line)).toBeLessThanOrEqual(most)
      expect(fold(text, most).join('')).toBe(text)
    }),
    { numRuns: 500 },
  )
})
