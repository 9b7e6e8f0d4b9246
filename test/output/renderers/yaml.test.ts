import { expect, test } from 'vitest'
import { parse } from 'yaml'
import * as fc from '../../fast-check.ts'
import { pipe, printList, printObject, text } from '../print.ts'

test('a list is a sequence, written item by item', async () => {
  expect(
    await printList('yaml', [['{"id":1,"tags":["a","b"],"by":{"email":"ada@example.com"}}'], ['2', '[]']]),
  ).toBe(text`
    - id: 1
      tags:
        - a
        - b
      by:
        email: ada@example.com
    - 2
    - []
  `)
})

test('one object is a mapping, an empty list an empty sequence', async () => {
  expect(await printObject('yaml', '{"id":1,"o":{},"x":null}')).toBe('id: 1\no: {}\nx: null\n')
  expect(await printObject('yaml', '60')).toBe('60\n')
  expect(await printList('yaml', [])).toBe('[]\n')
})

test('numbers and the order of keys stay as they came', async () => {
  expect(await printObject('yaml', '{"z":9007199254740993,"a":1.0,"c":1E400,"b":-0}')).toBe(
    'z: 9007199254740993\na: 1.0\nc: 1E400\nb: -0\n',
  )
})

test('text that YAML 1.1 or 1.2 would read as something else is quoted', async () => {
  const values = [
    'yes',
    'null',
    '~',
    '1_000',
    '0x1f',
    '2026-11-21T07:52:10Z',
    '12:30:45',
    '',
    'a: b',
    '# x',
    ' x',
    '=',
    '<<',
  ]
  for (const value of values) {
    expect(await printObject('yaml', JSON.stringify({ a: value }))).toBe(`a: ${JSON.stringify(value)}\n`)
  }
})

test('blanks and line feeds stay as they came, wherever they stand', async () => {
  const blank = fc.string({ unit: fc.constantFrom(' ', '\n', '\n ', '#', 'a'), maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(blank, blank, async (name, value) => {
      const printed = await printObject('yaml', JSON.stringify({ [name]: value, last: [value] }))
      expect(parse(printed)).toEqual({ [name]: value, last: [value] })
    }),
    { examples: [['', ' \n']] },
  )
})

test('text on several lines is a block', async () => {
  expect(await printObject('yaml', '{"source":"one\\n  two\\n"}')).toBe('source: |\n  one\n    two\n')
})

test('control characters are escaped in any format of output, and it reads back the same', async () => {
  const item = { 'k\u001b': 'a\u009b', b: '\u202eb\u0085', c: 'two\n\u0007lines', d: '\u{e0041}', e: '\u007f\t' }
  const printed = await printObject('yaml', JSON.stringify(item), { look: pipe })
  expect(printed).toBe(text`
    "k\e": "a\x9b"
    b: "\u202eb\x85"
    c: "two\n\alines"
    d: "\U000e0041"
    e: "\x7f\t"
  `)
  expect(parse(printed)).toEqual(item)
})

test('fields are chosen as in json', async () => {
  expect(await printObject('yaml', '{"a":{"b":1.0}}', { look: { fields: ['a.b', 'c'] } })).toBe('a.b: 1.0\n')
})

test('any JSON reads back the same', async () => {
  const value = fc.jsonValue({ maxDepth: 3, stringUnit: fc.character }).map(one => JSON.stringify(one))
  await fc.assert(
    fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 4 }), async items => {
      const read: unknown = parse(await printList('yaml', items), { uniqueKeys: false })
      expect(read).toEqual(items.map(item => JSON.parse(item) as unknown))
    }),
    { numRuns: 300 },
  )
})
