import { expect, test } from 'vitest'
import { Slicer } from '../../src/json/slice.ts'
import * as fc from '../fast-check.ts'

function takes(text: string, size: number): boolean {
  const bytes = Buffer.from(text)
  const slicer = new Slicer()
  try {
    for (let from = 0; from < bytes.length; from += size) slicer.push(bytes.subarray(from, from + size))
    slicer.end()
    return true
  } catch {
    return false
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test.each([
  '{"id":1,}',
  '{"id"}',
  '{"id":}',
  '{:1}',
  '{"a":1 "b":2}',
  '{,}',
  '[1,]',
  '[,1]',
  '[1 2]',
  '{"a":tru}',
])('%s is not JSON, as a row and within one', text => {
  for (const size of [1, 3, 1000]) {
    expect([takes(`[${text}]`, size), takes(`[{"a":[${text}]}]`, size)]).toEqual([false, false])
  }
})

test.each([
  '01',
  '-',
  '1.',
  '.5',
  '1e',
  '1e+',
  '+1',
  '--1',
  '1.2.3',
  '0x1',
  'nul',
  'nulll',
  'True',
  'tr ue',
])('%s is no value', text =>
  expect([takes(`[{"a":${text}}]`, 2), takes(`[[${text}]]`, 1000), takes(`[${text}]`, 1)]).toEqual([
    false,
    false,
    false,
  ]))

/** JSON with something wrong in one place, perhaps; strings are plain, since what they hold is not looked at. */
const spoiled = fc
  .tuple(
    fc
      .jsonValue({ stringUnit: fc.constantFrom('a', 'é', ' ', ',') })
      .map(value => JSON.stringify([value, { a: value }])),
    fc.nat(),
    fc.nat(3),
    fc.constantFrom('', ...'{}[],:0123.eE+-truefalsn" '),
  )
  .map(([text, at, removed, added]) => {
    const from = at % text.length
    return text.slice(0, from) + added + text.slice(from + removed)
  })

test('a list is taken exactly where it is JSON, in chunks of any size', () => {
  fc.assert(
    fc.property(spoiled, fc.integer({ min: 1, max: 50 }), (text, size) => {
      fc.pre(text.startsWith('['))
      expect([text, takes(text, size)]).toEqual([text, isJson(text)])
    }),
    { numRuns: 3000 },
  )
})
