/** A response is refused exactly where JSON.parse refuses it, and its parts keep their text. */
import { describe, expect, test } from 'vitest'
import { pageIn } from '../../src/api/pages.ts'
import { ExactNumber, encode, textAt, valueAt } from '../../src/json/exact.ts'
import { itemOf, readItem, sliceArray, sliceObject } from '../../src/json/read-item.ts'
import { indented, Malformed, oneLine } from '../../src/json/tokens.ts'
import * as fc from '../fast-check.ts'
import { isReadRight, value } from './spelled.ts'

const read = (text: string) => readItem(Buffer.from(text))
const rounded = (one: unknown) => JSON.parse(JSON.stringify(JSON.parse(encode(one))))

describe('rows', () => {
  test('equal those of JSON.parse, each with its own text and value', () => {
    fc.assert(
      fc.property(fc.array(value), fc.constantFrom('', ' ', '\n\t'), (texts, space) => {
        const rows = sliceArray(read(`${space}[${texts.map(text => `${space}${text}${space}`).join()}]${space}`))
        expect(rows.map(({ text }) => text)).toEqual(texts.map(text => text.trim()))
        for (const [i, row] of rows.entries()) {
          if (isReadRight(texts[i] ?? ''))
            expect(rounded(row.value)).toEqual(JSON.parse(JSON.stringify(JSON.parse(row.text))))
        }
      }),
      { numRuns: 500 },
    )
  })

  test.each([
    '{"id":9007199254740993,"a":1.0}',
    '{"b":1e400,"a":-0}',
    '{"a":1,"a":2}',
    '{"10":1,"9":2}',
    '{"a\\u0062":"\\u00e9é\\/"}',
    '"] , [ \\" }"',
    '[[],{}]',
  ])('keep what JSON.parse would change: %s', text => {
    const page = pageIn(read(`{"next":null,"results":[${text}, ${text}],"count":2}`))
    expect(page?.rows.map(row => row.text)).toEqual([text, text])
    expect(page?.envelope).toEqual({ next: null, count: 2 })
    expect(encode(page?.rows[0]?.value)).toBe(encode(read(text).value))
  })

  test('have exact numbers where a double would change them', () => {
    const [one, other] = sliceArray(read('[{"id":9007199254740993},{"id":1}]'))
    expect([one?.value, other?.value]).toEqual([{ id: new ExactNumber('9007199254740993') }, { id: 1 }])
  })
})

describe('members', () => {
  test('equal those of JSON.parse, which uses the last of several with one name', () => {
    const members = sliceObject(read('{ "a" : [1, 2] , "b":{"c":"}"}, "a":"x,y:z" , "__proto__": 1.0 }'))
    expect([...members].map(([name, { text }]) => [name, text])).toEqual([
      ['a', '"x,y:z"'],
      ['b', '{"c":"}"}'],
      ['__proto__', '1.0'],
    ])
    expect(members.get('__proto__')?.value).toEqual(new ExactNumber('1.0'))
  })

  test('do not exist in a list or a single value', () => {
    expect(['[{"a":1}]', '1', '"{}"', 'null'].flatMap(text => [...sliceObject(read(text))])).toEqual([])
    expect(['{"a":[1]}', '1', '"[1]"'].flatMap(text => sliceArray(read(text)))).toEqual([])
  })
})

test.each([
  ['', 'empty'],
  ['\ufeff \n', 'empty'],
  ['{"a":1', 'cut short'],
  ['[1,"a', 'cut short'],
  ['["a\\"', 'cut short'],
  ['[1,]', 'not JSON'],
  ['{"a":1}}', 'not JSON'],
  ['{"a":"\n"}', 'not JSON'],
  ['nul', 'cut short'],
  ['[1.', 'cut short'],
  ['nil', 'not JSON'],
  ['['.repeat(1001) + ']'.repeat(1001), 'nested too deeply'],
])('%j is refused: %s', (text, reason) => {
  expect(() => read(text)).toThrow(new Malformed(reason as Malformed['reason']))
})

test('changed JSON is refused exactly where JSON.parse refuses it', () => {
  const mutation = fc.tuple(
    fc.nat(),
    fc.nat(2),
    fc.constantFrom(...'{}[],:"\\\n\t\u0000 .-+eE019ux/tfnl', 'é', '\u00a0'),
  )
  fc.assert(
    fc.property(value, fc.array(mutation, { maxLength: 3 }), (text, mutations) => {
      let mutated = text
      for (const [at, removed, added] of mutations) {
        const from = at % (mutated.length + 1)
        mutated = mutated.slice(0, from) + added + mutated.slice(from + removed)
      }
      fc.pre(mutated.isWellFormed() && mutated.trim() !== '')
      expect([mutated, isRead(mutated)]).toEqual([mutated, isParsed(mutated)])
    }),
    { numRuns: 5000 },
  )
})

function isRead(text: string): boolean {
  try {
    // Cut at different levels, and decoded.
    const item = read(text)
    void item.value
    void read(`{"a":{"b":${text}}}`)
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(Malformed)
    return false
  }
}

function isParsed(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test('bytes that are not UTF-8 are refused', () => {
  expect(() => readItem(Buffer.from('"\xff"', 'latin1'))).toThrow(new Malformed('not UTF-8'))
})

test('a value of the program becomes an item', () => {
  const item = itemOf({ id: new ExactNumber('1.0'), at: undefined, list: [1] })
  expect([item.text, item.value]).toEqual(['{"id":1.0,"list":[1]}', { id: new ExactNumber('1.0'), list: [1] }])
})

test.each([
  ['a', 1],
  ['b.c', 2],
  ['b.c.d', undefined],
  ['x.y', 'name with a dot'],
  ['x.z', 3],
  ['list.1', 'second'],
  ['list.1.0', undefined],
  ['list.2.k', 4],
  ['list.01', undefined],
  ['list.-1', undefined],
  ['constructor', undefined],
  ['', undefined],
])('the value at %s is %j', (path, found) => {
  const value = { a: 1, b: { c: 2 }, 'x.y': 'name with a dot', x: { y: 0, z: 3 }, list: [0, 'second', { k: 4 }] }
  expect(valueAt(value, path)).toBe(found)
  expect(textAt(value, path)).toBe(typeof found === 'string' ? found : undefined)
})

test('indented JSON has the lines of JSON.stringify, and keeps every token', () => {
  fc.assert(
    fc.property(fc.jsonValue(), one => {
      const text = JSON.stringify(one, null, 1)
      expect(indented(text)).toBe(JSON.stringify(one, null, 2))
      expect(JSON.parse(oneLine(text))).toEqual(JSON.parse(text))
      expect(oneLine(text)).not.toMatch(/[\r\n]/)
    }),
  )
  expect(indented('[1.0,{ "a" : -0 ,"a":"\\u00e9:,{"},[ ],{\n}]')).toBe(
    '[\n  1.0,\n  {\n    "a": -0,\n    "a": "\\u00e9:,{"\n  },\n  [],\n  {}\n]',
  )
})
