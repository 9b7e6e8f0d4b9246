import { describe, expect, test } from 'vitest'
import { type Item, Malformed } from '../../src/json/item.ts'
import { compile, elements, kindOf, members, textOf } from '../../src/json/pick.ts'
import * as fc from '../fast-check.ts'
import { isReadRight, value } from './spelled.ts'

const item = (text: string): Item => Buffer.from(text)

/** What the paths find, as text. */
function pick(text: string, ...paths: string[]) {
  return compile(paths)
    .pick(item(text))
    .map(found => found?.toString())
}

describe('values at paths', () => {
  const person =
    '{"id": 9007199254740993, "distinct_ids": ["a", "b"], "properties": {"email": "ada@example.com", "score": 1.0}}'

  test('come as the bytes they are, in the order asked for', () => {
    const paths = ['properties.score', 'id', 'distinct_ids.1', 'properties.email', 'distinct_ids']
    expect(pick(person, ...paths)).toEqual(['1.0', '9007199254740993', '"b"', '"ada@example.com"', '["a", "b"]'])
  })

  test('are undefined where there are none', () => {
    expect(
      pick(person, 'name', 'id.x', 'distinct_ids.2', 'distinct_ids.x', 'distinct_ids.00', 'properties.email.0'),
    ).toEqual(Array(6).fill(undefined))
    expect(pick('12', 'a')).toEqual([undefined])
    expect(pick('"a"', 'a')).toEqual([undefined])
  })

  test('may be a whole and a part of it, or the same twice', () => {
    expect(pick('{"a":{"b":1}}', 'a', 'a.b', 'a')).toEqual(['{"b":1}', '1', '{"b":1}'])
  })

  test('are found in a top-level array, and deeper in arrays of arrays', () => {
    expect(pick('[[1,2],{"a":[3]}]', '0.1', '1.a.0', '1')).toEqual(['2', '3', '{"a":[3]}'])
  })

  test('are found under keys that hold dots', () => {
    expect(pick('{"properties":{"a.b":1,"c":{"d.e":2}}}', 'properties.a.b', 'properties.c.d.e')).toEqual(['1', '2'])
  })

  test.each([
    ['{"a.b":1,"a":{"b":2}}', '1'],
    ['{"a":{"b":2},"a.b":1}', '1'],
    ['{"a":{"b":2},"a.b":1,"a.b":3}', '3'],
  ])('the longer key wins: %s', (text, found) => {
    expect(pick(text, 'a.b')).toEqual([found])
  })

  test('a longer key without the rest of the path leaves it to the shorter', () => {
    expect(pick('{"a.b":{"x":1},"a":{"b":{"c":2}}}', 'a.b.c')).toEqual(['2'])
  })

  test('the last of equal keys counts, even where it holds less', () => {
    expect(pick('{"a":1,"a":2}', 'a')).toEqual(['2'])
    expect(pick('{"a":{"b":1},"a":{}}', 'a.b')).toEqual([undefined])
    expect(pick('{"a":{"b":1},"a":null}', 'a.b', 'a')).toEqual([undefined, 'null'])
  })

  test('keys may be written with escapes, and in any script', () => {
    expect(pick('{"\\u0065mail":1,"né\\u0065":2,"né":3,"a\\"b":4}', 'email', 'née', 'né', 'a"b')).toEqual([
      '1',
      '2',
      '3',
      '4',
    ])
  })

  test('a key with a backslash is not the escape that it looks like', () => {
    const tab = '{"a\\tb":1}'
    expect(pick(tab, 'a\\tb', 'a\tb')).toEqual([undefined, '1'])
    expect(pick('{"a\\\\tb":1}', 'a\\tb', 'a\tb')).toEqual(['1', undefined])
  })

  test('a picker serves one item after another', () => {
    const picker = compile(['a', 'b'])
    expect(picker.pick(item('{"a":1,"b":2}')).map(String)).toEqual(['1', '2'])
    expect(picker.pick(item('{"b":3}')).map(String)).toEqual(['undefined', '3'])
    expect(picker.pick(item('{"a":1,"a":2}')).map(String)).toEqual(['2', 'undefined'])
    expect(picker.pick(item('{"a":4,"b":5}')).map(String)).toEqual(['4', '5'])
  })

  test('a path of many dots is no burden', () => {
    expect(pick('{"a":{"a.a":1}}', Array(40).fill('a').join('.'), 'a.a.a')).toEqual([undefined, '1'])
  })

  test('an item that is nested 100,000 deep is passed over', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    expect(pick(`{"deep":${deep},"id":1}`, 'id')).toEqual(['1'])
  })

  test.each([
    '{"a" 1}',
    '{a:1}',
    '{"a":1,}',
    '{"a":1',
    '{"a',
    '[1 2]',
    '{"a":}',
  ])('what is no JSON is refused: %s', text => {
    expect(() => compile(['a.b', 'z', '7']).pick(item(text))).toThrow(Malformed)
  })

  test('agree with a plain look into the parsed value', () => {
    const segment = fc.constantFrom(
      'a',
      'b',
      '0',
      '1',
      '',
      'é',
      '10',
      '__proto__',
      'toString',
      'a\\tb',
      'a\tb',
      'a"b',
      'a\\"b',
    )
    const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map(all => all.join('.'))
    fc.assert(
      fc.property(value, fc.array(path, { maxLength: 8 }), (text, paths) => {
        fc.pre(isReadRight(text))
        const parsed: unknown = JSON.parse(text)
        const found = pick(text, ...paths).map(raw => (raw === undefined ? undefined : JSON.stringify(JSON.parse(raw))))
        expect(found).toEqual(paths.map(one => JSON.stringify(look(parsed, one.split('.')))))
      }),
      { numRuns: 3000 },
    )
  })
})

function look(within: unknown, segments: readonly string[]): unknown {
  if (segments.length === 0) return within
  if (typeof within !== 'object' || within === null) return undefined
  for (let size = Array.isArray(within) ? 1 : segments.length; size > 0; size--) {
    const key = segments.slice(0, size).join('.')
    if (!Object.hasOwn(within, key)) continue
    const found = look((within as Record<string, unknown>)[key], segments.slice(size))
    if (found !== undefined) return found
  }
  return undefined
}

describe('an item taken apart', () => {
  test('members come in the order they stand in, equal names included', () => {
    const found = members(item('{ "b" : 1.0 , "10":[ ] , "9":"x", "\\u0062": {} }'))
    expect(found.map(([name, raw]) => [name, String(raw)])).toEqual([
      ['b', '1.0'],
      ['10', '[ ]'],
      ['9', '"x"'],
      ['b', '{}'],
    ])
  })

  test('elements come one by one', () => {
    expect(elements(item('[1.0, "," , [ ], {"a":2}]')).map(String)).toEqual(['1.0', '","', '[ ]', '{"a":2}'])
  })

  test('anything else has neither', () => {
    expect([members(item('[1]')), elements(item('{"a":1}')), members(item('1')), elements(item('"[1]"'))]).toEqual([
      [],
      [],
      [],
      [],
    ])
  })

  test('both agree with JSON.parse', () => {
    fc.assert(
      fc.property(value, text => {
        fc.pre(isReadRight(text))
        const parsed: unknown = JSON.parse(text)
        if (Array.isArray(parsed)) {
          expect(elements(item(text)).map(raw => JSON.stringify(JSON.parse(raw.toString())))).toEqual(
            parsed.map(one => JSON.stringify(one)),
          )
        } else if (typeof parsed === 'object' && parsed !== null) {
          const found = new Map(
            members(item(text)).map(([name, raw]) => [name, JSON.stringify(JSON.parse(raw.toString()))]),
          )
          expect(found).toEqual(new Map(Object.entries(parsed).map(([name, one]) => [name, JSON.stringify(one)])))
        }
      }),
      { numRuns: 500 },
    )
  })

  test.each([
    ['{}', 'object'],
    ['[]', 'array'],
    ['""', 'string'],
    ['-1', 'number'],
    ['0', 'number'],
    ['true', 'true'],
    ['false', 'false'],
    ['null', 'null'],
  ])('%s is of the kind %s', (text, kind) => {
    expect(kindOf(item(text))).toBe(kind)
  })

  test('the text of a string is what it says, of anything else how it is written', () => {
    expect(textOf(item('"a\\u0062\\n\\"é"'))).toBe('ab\n"é')
    expect(textOf(item('"plain"'))).toBe('plain')
    expect(textOf(item('9007199254740993'))).toBe('9007199254740993')
    expect(textOf(item('{"a": 1}'))).toBe('{"a": 1}')
  })

  test('control bytes that a server did not escape stay in the text', () => {
    expect(textOf(item('"a\u0007b"'))).toBe('a\u0007b')
    expect(textOf(item('"\\"\u0007\t"'))).toBe('"\u0007\t')
  })

  test('an escape that JSON does not have is refused', () => {
    expect(() => textOf(item('"\\x41"'))).toThrow(Malformed)
  })
})
