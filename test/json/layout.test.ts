import { describe, expect, test } from 'vitest'
import { indented, oneLine } from '../../src/json/layout.ts'
import * as fc from '../fast-check.ts'
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
