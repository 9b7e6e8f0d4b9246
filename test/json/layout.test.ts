import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { indented, oneLine, visible } from '../../src/json/layout.ts'
import { tokens, value } from './spelled.ts'

describe('on one line', () => {
  test('an item on one line is given back as it is, blanks included', () => {
    const item = Buffer.from('{"a": [1,\t2]}')
    expect(oneLine(item)).toBe(item)
  })

  test('an item on many lines loses its white space, and nothing else', () => {
    expect(oneLine(Buffer.from('{\r\n  "a b": [ 1.0,\n 2 ],\n "c" : "\\n  \\\\"\n}')).toString()).toBe(
      '{"a b":[1.0,2],"c":"\\n  \\\\"}',
    )
  })

  test('a line break within a string, which JSON does not allow, is escaped', () => {
    expect(oneLine(Buffer.from('["a\r\nb"]')).toString()).toBe('["a\\r\\nb"]')
  })

  test('bytes that are no UTF-8 stay', () => {
    expect(oneLine(Buffer.from([0x5b, 0x0a, 0x22, 0xff, 0xe9, 0x22, 0x5d]))).toEqual(
      Buffer.from([0x5b, 0x22, 0xff, 0xe9, 0x22, 0x5d]),
    )
  })

  test('any JSON keeps its tokens', () => {
    fc.assert(
      fc.property(value, text => {
        const line = oneLine(Buffer.from(text)).toString()
        expect(line).not.toMatch(/[\r\n]/)
        expect(tokens(line)).toEqual(tokens(text))
      }),
      { numRuns: 500 },
    )
  })
})

describe('indented', () => {
  test('as a person would write it, numbers and escapes as they came', () => {
    expect(indented(Buffer.from('{"id":9007199254740993,"a":[1.0,"\\u0065"],"b":{},"c":[ ]}')).toString()).toBe(
      `{
  "id": 9007199254740993,
  "a": [
    1.0,
    "\\u0065"
  ],
  "b": {},
  "c": []
}`,
    )
  })

  test('as JSON.stringify does it, by any number of blanks', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 8 }), (one, blanks) => {
        expect(indented(Buffer.from(JSON.stringify(one)), blanks).toString()).toBe(
          JSON.stringify(JSON.parse(JSON.stringify(one)), null, blanks),
        )
      }),
      { numRuns: 500 },
    )
  })

  test('any JSON keeps its tokens', () => {
    fc.assert(
      fc.property(value, text => {
        expect(tokens(indented(Buffer.from(text)).toString())).toEqual(tokens(text))
      }),
      { numRuns: 500 },
    )
  })

  test('very deep values are not drowned in white space', () => {
    const deep = '['.repeat(10_000) + ']'.repeat(10_000)
    const laidOut = indented(Buffer.from(deep)).toString()
    expect(tokens(laidOut).join('')).toBe(deep)
    expect(laidOut.length).toBeLessThan(5_000_000)
  })
})

describe('visible at a terminal', () => {
  test.each([
    ['an escape sequence', '\u001b[31m', '\\u001b[31m'],
    ['a bell, DEL and C1', '\u0007\u007f\u009b', '\\u0007\\u007f\\u009b'],
    ['text turned around', '\u202egnp.exe\u2069\u200f\u061c', '\\u202egnp.exe\\u2069\\u200f\\u061c'],
    ['nothing to see', 'a\u200bb\u2060c\ufeff', 'a\\u200bb\\u2060c\\ufeff'],
    ['lines that are no lines', '\u2028\u2029', '\\u2028\\u2029'],
    ['letters of any script, and signs', 'é漢字🙂', 'é漢字🙂'],
  ])('%s', (_, text, shown) => {
    expect(visible(`"${text}"`)).toBe(`"${shown}"`)
    expect(visible(Buffer.from(`"${text}"`))).toBe(`"${shown}"`)
  })

  test('between tokens line feeds stay and other white space is blank', () => {
    expect(visible('{\r\n\t"a": 1}')).toBe('{ \n "a": 1}')
  })

  test('any JSON says the same, and nothing in it can act', () => {
    const acting = /(?!\n)[\p{Cc}\p{Bidi_Control}\u200b-\u200d\u2028\u2029\u2060\ufeff]/u
    fc.assert(
      fc.property(value, fc.string({ unit: 'binary' }), (text, any) => {
        const json = `[${text},${JSON.stringify(any)}]`
        const shown = visible(json)
        expect(JSON.stringify(JSON.parse(shown))).toBe(JSON.stringify(JSON.parse(json)))
        expect(shown).not.toMatch(acting)
      }),
      { numRuns: 1000 },
    )
  })
})
