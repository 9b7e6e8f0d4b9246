import { describe, expect, test } from 'vitest'
import { type Item, Malformed } from '../../src/json/item.ts'
import { Slicer, slice } from '../../src/json/slice.ts'
import * as fc from '../fast-check.ts'
import { value } from './spelled.ts'

/** Feeds a body cut at the given places; the last size repeats. */
function sliced(body: Uint8Array, sizes: readonly number[] = [body.length]) {
  const slicer = new Slicer()
  const items: Item[] = []
  let at = 0
  for (let n = 0; at < body.length; n++) {
    const size = Math.max(1, sizes[Math.min(n, sizes.length - 1)] ?? 1)
    items.push(...slicer.push(body.subarray(at, at + size)))
    at += size
  }
  return { items: items.map(String), envelope: slicer.end() }
}

function membersOf(body: string) {
  return Object.fromEntries([...slice(Buffer.from(body)).envelope.members].map(([name, raw]) => [name, String(raw)]))
}

function reasonOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof Malformed) return error.reason
    throw error
  }
  return 'none'
}

describe('a list in any of its shapes', () => {
  test.each([
    ['[1, {"a":2} ,"x"]', ['1', '{"a":2}', '"x"']],
    ['{"count":2,"next":null,"results":[{"id":1},{"id":2}]}', ['{"id":1}', '{"id":2}']],
    ['{"result":[[1],[2]],"next":null}', ['[1]', '[2]']],
    ['{"r\\u0065sults":[true]}', ['true']],
    ['{"results":[]}', []],
    [' [ ] ', []],
    ['\ufeff[null]\n', ['null']],
  ])('%s', (body, items) => {
    const { items: found, envelope } = sliced(Buffer.from(body))
    expect(found).toEqual(items)
    expect(envelope.found).toBe(true)
  })

  test('the members around the items come as raw bytes, of equal names the last', () => {
    expect(
      membersOf('{"count": 9007199254740993, "next":"?a\\u0026b", "results":[{}], "next": null, "x": {"a": [ ]}}'),
    ).toEqual({
      count: '9007199254740993',
      next: 'null',
      x: '{"a": [ ]}',
    })
  })

  test('results that is no array is a member like any other', () => {
    const { items, envelope } = slice(Buffer.from('{"results":{"a":1},"result":null}'))
    expect(items).toEqual([])
    expect(envelope.found).toBe(false)
    expect(String(envelope.members.get('results'))).toBe('{"a":1}')
  })

  test('result holds the items only where results does not', () => {
    expect(membersOf('{"results":[1],"result":[2]}')).toEqual({ result: '[2]' })
    expect(slice(Buffer.from('{"results":null,"result":[2]}')).items.map(String)).toEqual(['2'])
  })

  test.each(['{"id":1}', '{}', '"text"', '12', 'null', ' true '])('%s holds no list and is still JSON', body => {
    for (const sizes of [[body.length], [1]]) {
      expect(sliced(Buffer.from(body), sizes)).toMatchObject({ items: [], envelope: { found: false } })
    }
  })

  test('what strings hold is not looked at: brackets, escapes, even raw control bytes', () => {
    const item = '{"a":"]}\\"\\\\","b":"\u0001\n","c":"\\\\"}'
    expect(sliced(Buffer.from(`[${item}]`), [1]).items).toEqual([item])
  })
})

describe('the bytes stay as they came', () => {
  test('any list, cut anywhere, gives its items to the byte', () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 })
    const space = fc.constantFrom('', ' ', '\n', '\t\r\n')
    const member = fc.tuple(fc.constantFrom('count', 'next', 'a"b', 'résultats', 'resul'), value)
    fc.assert(
      fc.property(
        fc.array(value, { maxLength: 6 }),
        fc.constantFrom('', 'results', 'result'),
        fc.array(member, { maxLength: 3 }),
        fc.array(member, { maxLength: 3 }),
        space,
        cuts,
        (items, name, before, after, gap, sizes) => {
          const list = `[${gap}${items.join(`${gap},${gap}`)}${gap}]`
          const spell = ([key, raw]: readonly [string, string]) => `${gap}${JSON.stringify(key)}${gap}:${gap}${raw}`
          const body = name
            ? `{${[...before, [name, list] as const, ...after].map(spell).join(`${gap},`)}${gap}}`
            : list
          const bytes = Buffer.from(gap + body + gap)
          const found = sliced(bytes, sizes)
          expect(found.items).toEqual(items)
          expect(found.envelope.found).toBe(true)
          const members = Object.fromEntries([...found.envelope.members].map(([key, raw]) => [key, String(raw)]))
          expect(members).toEqual(name ? Object.fromEntries([...before, ...after]) : {})
          expect(sliced(bytes, [1]).items).toEqual(items)
        },
      ),
      { numRuns: 300 },
    )
  })

  test('an item within one chunk is a view of that chunk', () => {
    const chunk = Buffer.from('[{"id":1},{"id":2}]')
    const [first] = new Slicer().push(chunk)
    chunk[7] = 0x39
    expect(String(first)).toBe('{"id":9}')
  })

  test('a plain Uint8Array will do, also one that is part of a larger buffer', () => {
    const slicer = new Slicer()
    expect(slicer.push(new TextEncoder().encode('xx[1,2]').subarray(2)).map(String)).toEqual(['1', '2'])
  })

  test('bytes that are no UTF-8 are refused, wherever the body is cut', () => {
    const body = Buffer.from([0x5b, 0x22, 0xff, 0xc0, 0x22, 0x5d])
    for (const size of [1, 2, 3, 6]) expect(() => sliced(body, [size])).toThrow('not UTF-8')
  })

  test('an item nested 100,000 deep passes, in chunks of any size', () => {
    const item = `${'[{"a":'.repeat(50_000)}1${'}]'.repeat(50_000)}`
    for (const size of [400_000, 1_000, 7]) expect(sliced(Buffer.from(`[${item}]`), [size]).items).toEqual([item])
  })

  test('an item of a million bytes that comes one byte at a time is put together once', () => {
    const item = `"${'x'.repeat(1_000_000)}"`
    expect(sliced(Buffer.from(`[${item}]`), [1]).items).toEqual([item])
  })
})

describe('what is refused', () => {
  test.each([
    ['', 'empty'],
    [' \n', 'empty'],
    ['\ufeff', 'empty'],
    ['[', 'cut short'],
    ['[1', 'cut short'],
    ['[1,', 'cut short'],
    ['["a', 'cut short'],
    ['["a\\', 'cut short'],
    ['[{"a":[1]}', 'cut short'],
    ['{"results":[1]', 'cut short'],
    ['{"results":[1],"next"', 'cut short'],
    ['"a', 'cut short'],
    ['[{"a":[1}]', 'brackets that do not match'],
    ['[[1}]', 'brackets that do not match'],
    ['{"a":{"b":1]}', 'brackets that do not match'],
    ['[1}', 'not JSON'],
    ['{"a":1]', 'not JSON'],
    [']', 'not JSON'],
    ['[1,]', 'not JSON'],
    ['[,1]', 'not JSON'],
    ['[1 2]', 'not JSON'],
    ['[{} {}]', 'not JSON'],
    ['[01]', 'not JSON'],
    ['[1.]', 'not JSON'],
    ['[nul]', 'not JSON'],
    ['[1"a"]', 'not JSON'],
    ['["a"1]', 'not JSON'],
    ['-', 'not JSON'],
    ['[NaN]', 'not JSON'],
    ['[{"a":NaN}]', 'not JSON'],
    ['[{"a":undefined}]', 'not JSON'],
    ['[{"a":Infinity}]', 'not JSON'],
    ["[{'a':1}]", 'not JSON'],
    ['[{"a":1;}]', 'not JSON'],
    ['[{"a":\u00a01}]', 'not JSON'],
    ['[\0]', 'not JSON'],
    ['{a:1}', 'not JSON'],
    ['{"a" 1}', 'not JSON'],
    ['{"a":1,}', 'not JSON'],
    ['{"a":}', 'not JSON'],
    ['{"a":1 "b":2}', 'not JSON'],
    ['<!DOCTYPE html><html></html>', 'not JSON'],
    ['Bad Gateway', 'not JSON'],
    ['{"\\x":1}', 'not JSON'],
    ['[1]x', 'text after its end'],
    ['[1][2]', 'text after its end'],
    ['{"results":[]}}', 'text after its end'],
    ['1 2', 'text after its end'],
    ['{"results":[1],"results":[2]}', 'two lists'],
    ['{"result":[1],"results":[2]}', 'two lists'],
  ])('%j: %s, wherever it is cut', (body, reason) => {
    for (const sizes of [[1000], [1], [2, 3]]) expect(reasonOf(() => sliced(Buffer.from(body), sizes))).toBe(reason)
  })

  test('every prefix of a list is cut short, none is taken for a whole one', () => {
    const body = Buffer.from('{"count":1,"results":[{"a":"\\"x","b":[1.5,null]}],"next":null}')
    for (let end = 1; end < body.length; end++) {
      expect(reasonOf(() => sliced(body.subarray(0, end), [1]))).toBe('cut short')
    }
  })

  test('a member that would have to be held and is too large', () => {
    const body = Buffer.from(`{"detail":"${'x'.repeat(2000)}","results":["${'y'.repeat(2000)}"]}`)
    for (const size of [64, 4000]) {
      const slicer = new Slicer(1000)
      expect(reasonOf(() => chunksOf(body, size).map(chunk => slicer.push(chunk)))).toBe('a member that is too large')
    }
    expect(slice(body).items).toHaveLength(1)
  })

  test('many members may be larger together', () => {
    const body = Buffer.from(
      JSON.stringify(Object.fromEntries(Array.from({ length: 20 }, (_, n) => [n, 'x'.repeat(900)]))),
    )
    const slicer = new Slicer(1000)
    for (const chunk of chunksOf(body, 64)) slicer.push(chunk)
    expect(slicer.end().members.size).toBe(20)
  })
})

function chunksOf(body: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(body.length / size) }, (_, n) => body.subarray(n * size, (n + 1) * size))
}

test('a long string ends at its own quote, however many escapes stand around it and wherever it is cut', () => {
  const part = fc.constantFrom('a'.repeat(40), '\\', '"', '\\\\', 'é', '\\"')
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 90 })),
      (parts, sizes) => {
        const items = [JSON.stringify(parts.join('')), JSON.stringify({ [parts.join('')]: parts })]
        const body = Buffer.from(`[${items.join()}]`)
        expect(sliced(body, sizes.length > 0 ? sizes : [body.length]).items).toEqual(items)
      },
    ),
  )
})
