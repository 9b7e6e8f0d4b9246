import { describe, expect, test } from 'vitest'
import { escapeControls, escapeControlsInJson, escapeRunnerCommands } from '../../src/text/escape-controls.ts'
import * as fc from '../fast-check.ts'
import { acting } from '../output/print.ts'

const spelled: readonly (readonly [what: string, text: string, shown: string, json?: string])[] = [
  ['an escape sequence', '\u001b[31mred', '\\u001b[31mred'],
  ['the one-byte form of one', '\u009b31m', '\\u009b31m'],
  ['a bell and DEL', '\u0007\u007f', '\\u0007\\u007f'],
  ['text that runs backwards', '\u202egnp.exe\u2069\u200f\u061c', '\\u202egnp.exe\\u2069\\u200f\\u061c'],
  ['what has no width', 'a\u200bb\u2060c\ufeff', 'a\\u200bb\\u2060c\\ufeff'],
  ['a soft hyphen', 'a\u00adb', 'a\\u00adb'],
  ['what draws nothing', '\u3164\u115f\u034f', '\\u3164\\u115f\\u034f'],
  ['a line separator', 'a\u2028b\u2029', 'a\\u2028b\\u2029'],
  ['tags that nobody sees', 'x\u{e0041}', 'x\\u{e0041}', 'x\\udb40\\udc41'],
  ['a musical format character', 'x\u{1d173}', 'x\\u{1d173}', 'x\\ud834\\udd73'],
  ['a joiner between letters', 'a\u200db', 'a\\u200db'],
  ['a selector behind no emoji', 'a\ufe0f', 'a\\ufe0f'],
]

describe('text', () => {
  test.each(
    spelled.map(([what, text, shown]) => [what, text, shown] as const),
  )('%s is spelled out', (_, text, shown) => {
    expect(escapeControls(text)).toBe(shown)
  })

  test('also escapes line breaks, tabs and halves of characters', () => {
    expect(escapeControls('a\nb\tc\rd')).toBe('a\\nb\\tc\\rd')
    expect(escapeControls('\ud83d')).toBe('\\ud83d')
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
    '👩‍👧‍👦',
    '🏃🏽‍♀️',
    'a\u00a0b',
    'back\\slash',
  ])('%s is shown as it is', text => expect(escapeControls(text)).toBe(text))

  test('no control character is left in any text, and escaping twice changes nothing', () => {
    fc.assert(
      fc.property(any, text => {
        const shown = escapeControls(text)
        expect(shown).not.toMatch(acting)
        expect(shown).not.toContain('\n')
        expect(escapeControls(shown)).toBe(shown)
      }),
      { numRuns: 500 },
    )
  })
})

describe('JSON', () => {
  test.each(
    spelled.map(([what, text, shown, json]) => [what, text, json ?? shown] as const),
  )('%s is spelled out', (_, text, json) => {
    expect(escapeControlsInJson(`"${text}"`)).toBe(`"${json}"`)
  })

  test('keeps line feeds between tokens and replaces other white space by blanks', () => {
    expect(escapeControlsInJson('{\r\n\t"a": 1}')).toBe('{ \n "a": 1}')
  })

  test('JSON keeps its value and contains no control characters', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: fc.character }), any, (value, text) => {
        const json = JSON.stringify([value, text], null, 1)
        const shown = escapeControlsInJson(json)
        expect(JSON.parse(shown)).toEqual(JSON.parse(json))
        expect(shown).not.toMatch(acting)
      }),
      { numRuns: 1000 },
    )
  })
})

const any = fc.string({
  unit: fc.oneof(
    fc.character,
    fc.constantFrom(
      '\u00ad',
      '\u034f',
      '\u3164',
      '\u{1d173}',
      '\u{e0041}',
      '\u200d',
      '\ufe0f',
      '👩',
      '🏽',
      '1',
      '\u001b',
    ),
  ),
  maxLength: 40,
})

test.each([
  ['::add-mask::x', '\\u003a:add-mask::x'],
  ['  ##[group]', '  \\u0023#[group]'],
  ['a\n\u00a0::x\nb', 'a\n\u00a0\\u003a:x\nb'],
  ['a::b ##[c]', 'a::b ##[c]'],
  [': # x', ': # x'],
])('for a CI runner %j becomes %j', (text, escaped) => {
  expect(escapeRunnerCommands(text)).toBe(escaped)
})

/** Commands of CI runners at the start of a line, after blanks. */
const command = /^\s*(?:::|##\[|##vso\[)/m

test('no line of any text is a command to a CI runner', () => {
  const text = fc.string({ unit: fc.constantFrom(':', '#', '[', ' ', '\n', 'a', 'vso') })
  fc.assert(fc.property(text, one => !command.test(escapeRunnerCommands(one))))
})
