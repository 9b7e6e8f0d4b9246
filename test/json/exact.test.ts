import { describe, expect, test } from 'vitest'
import { decode, ExactNumber, encode } from '../../src/json/exact.ts'
import { Malformed } from '../../src/json/tokens.ts'
import * as fc from '../fast-check.ts'
import { canonical, isReadRight, value } from './spelled.ts'

describe('numbers', () => {
  test.each([
    '9007199254740993',
    '-9007199254740993',
    '1.0',
    '1e400',
    '-0',
    '0.10',
    '1E2',
    '1e5',
    '0.1e1',
    '0.30000000000000000001',
  ])('%s stays as it is written', source => {
    expect(decode(source)).toEqual(new ExactNumber(source))
    expect(encode(decode(`{"a":[${source}]}`))).toBe(`{"a":[${source}]}`)
  })

  test.each([
    '0',
    '1',
    '-1',
    '0.5',
    '9007199254740991',
    '9007199254740992',
    '1e+21',
    '5e-324',
  ])('%s is a number like any other', source => {
    expect(decode(source)).toBe(Number(source))
  })

  test('an exact number does not change the values around it', () => {
    expect(decode('{"id":9007199254740993,"n":1,"s":"1.0","l":[0.5,true,null]}')).toEqual({
      id: new ExactNumber('9007199254740993'),
      n: 1,
      s: '1.0',
      l: [0.5, true, null],
    })
  })

  test('a number inside a string stays text', () => {
    expect(decode('{"1.0":"9007199254740993 \\" 1.0"}')).toEqual({ '1.0': '9007199254740993 " 1.0' })
  })
})

describe('decoding', () => {
  test('equals JSON.parse, except for exact numbers', () => {
    fc.assert(
      fc.property(value, text => {
        const rounded = (one: unknown) => JSON.stringify(JSON.parse(encode(one)))
        fc.pre(isReadRight(text))
        const parsed = JSON.stringify(JSON.parse(text))
        expect(rounded(decode(text))).toBe(parsed)
        expect(rounded(decode(Buffer.from(`${text}\n`)))).toBe(parsed)
      }),
      { numRuns: 1000 },
    )
  })

  test('uses the last of several members with one name', () => {
    expect(decode('{"a":1.0,"a":{"b":1},"a":2.0}')).toEqual({ a: new ExactNumber('2.0') })
  })

  test('reads a name that ends in an escape after a similar name', () => {
    decode(String.raw`{"known to nobody else":1,"a\\":1}`)
    expect(Object.keys(decode(String.raw`{"known to nobody else":1,"a\n":1}`) as object)[1]).toBe('a\n')
    expect(Object.keys(decode(String.raw`{"known to nobody else":1,"a\u0062":1}`) as object)[1]).toBe('ab')
  })

  test('reads __proto__ as a member', () => {
    const decoded = decode('{"__proto__":{"admin":1.0}}')
    expect(Object.getPrototypeOf(decoded)).toBe(Object.prototype)
    expect(encode(decoded)).toBe('{"__proto__":{"admin":1.0}}')
  })

  test('accepts a byte order mark, and bytes within a larger buffer', () => {
    expect(decode('\ufeff{"a":1}')).toEqual({ a: 1 })
    expect(decode(Buffer.from('\ufeff[1]'))).toEqual([1])
    expect(decode(Buffer.from('xx[1.0]').subarray(2))).toEqual([new ExactNumber('1.0')])
  })

  test.each([
    '',
    ' ',
    '{',
    '[1,]',
    '{"a":1,}',
    '[01]',
    '[1.]',
    '[.5]',
    '[+1]',
    'NaN',
    "{'a':1}",
    '{"a":1.0,}',
    '[1.0',
    '["\\x",1.0]',
    '[1.0]x',
    '"',
  ])('refuses text that is not JSON: %j', text => {
    expect(() => decode(text)).toThrow(Malformed)
  })

  test.each(['1', '1.0'])('accepts 1,000 levels around %s, and refuses more', source => {
    const nested = (levels: number) => '['.repeat(levels) + source + ']'.repeat(levels)
    expect(encode(decode(nested(1000)))).toBe(nested(1000))
    expect(() => decode(nested(1001))).toThrow(new Malformed('nested too deeply'))
    expect(() => decode(nested(1_000_000))).toThrow(new Malformed('nested too deeply'))
  })
})

describe('encoding', () => {
  test('returns decoded text exactly as it was', () => {
    fc.assert(
      fc.property(canonical, text => {
        expect(encode(decode(text))).toBe(text)
      }),
      { numRuns: 2000 },
    )
  })

  test('equals JSON.stringify for other values', () => {
    fc.assert(
      fc.property(fc.object({ withNullPrototype: true, withObjectString: false }), one => {
        expect(encode(one)).toBe(JSON.stringify(one))
      }),
      { numRuns: 500 },
    )
  })

  test('drops undefined members, and writes other values that JSON lacks as null', () => {
    expect(encode({ a: undefined, b: [undefined, Number.NaN], c: () => 1 })).toBe('{"b":[null,null]}')
    expect(encode(undefined)).toBe('null')
  })

  test('refuses a value that contains itself', () => {
    const loop: unknown[] = []
    loop.push(loop)
    expect(() => encode(loop)).toThrow(new Malformed('nested too deeply'))
  })
})
