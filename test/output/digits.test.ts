/** Every format keeps all digits of numbers, and filters compare them. */
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { matcherOf } from '../../src/filters/filter.ts'
import { valueAt } from '../../src/json/exact.ts'
import { readItem } from '../../src/json/read-item.ts'
import * as fc from '../fast-check.ts'
import { printList } from './print.ts'

const digits = (minLength: number, maxLength: number) =>
  fc.array(fc.constantFrom(...'0123456789'), { minLength, maxLength }).map(all => all.join(''))
const natural = digits(1, 30).map(text => text.replace(/^0+(?=\d)/, ''))
const sign = fc.constantFrom('', '', '-')
const whole = fc.tuple(sign, natural).map(parts => parts.join(''))
const fraction = fc.oneof(
  fc.constant(''),
  fc.constant('.0'),
  digits(1, 20).map(text => `.${text}`),
)
const exponent = fc.oneof(
  { arbitrary: fc.constant(''), weight: 4 },
  fc.tuple(fc.constantFrom('e', 'E', 'e+', 'E-'), digits(1, 3)).map(parts => parts.join('')),
)
const number = fc.tuple(whole, fraction, exponent).map(parts => parts.join(''))
const text = fc.string({ unit: fc.character, maxLength: 8 }).map(one => JSON.stringify(one))

/** Like Python servers, with a blank or none between tokens. */
const row = fc
  .record({ id: natural, score: number, deep: number, name: text, blank: fc.constantFrom('', ' ') })
  .map(({ id, score, deep, name, blank }) => ({
    id,
    score,
    deep,
    json: `{"id":${blank}${id},${blank}"score":${blank}${score},"name":${name},"properties":{"deep":${blank}[${deep},1.0]}}`,
  }))

const runs = { numRuns: 1000 }

test('every format keeps all digits, also in nested values', async () => {
  await fc.assert(
    fc.asyncProperty(row, async ({ json, id, score, deep }) => {
      expect(await printList('json', [json])).toBe(`[\n${json}\n]\n`)
      expect(await printList('ndjson', [json])).toBe(`${json}\n`)
      expect(await printList('ids', [json])).toBe(`${id}\n`)
      const [, cells = []] = parse(await printList('csv', [json]))
      expect(cells.slice(0, 3)).toEqual([id, score, JSON.parse(json).name])
      expect(cells[3]).toMatch(/^\{"deep": ?\[/)
      expect(cells[3]).toContain(`[${deep},1.0]`)
      const table = await printList('table', [json], { look: { fields: ['id', 'score', 'properties'] } })
      expect(table.split('\n')[1]?.trim().split(/ +/)).toEqual([id, score, `{"deep":[${deep},1.0]}`])
    }),
    runs,
  )
})

test('chosen fields keep all digits', async () => {
  await fc.assert(
    fc.asyncProperty(row, async ({ json, score, deep }) => {
      const look = { fields: ['properties.deep.0', 'score'] }
      expect(await printList('ndjson', [json], { look })).toBe(`{"properties.deep.0":${deep},"score":${score}}\n`)
      expect(await printList('csv', [json], { look })).toBe(`properties.deep.0,score\n${deep},${score}\n`)
    }),
    runs,
  )
})

test('filters compare all digits', async () => {
  const last = /(\d)(?=(?:[eE]|$))/
  await fc.assert(
    fc.property(row, ({ json, score }) => {
      const value = valueAt(readItem(Buffer.from(json)).value, 'score')
      const meets = (operator: 'exact' | 'gt' | 'lt', wanted: string) =>
        matcherOf({ key: 'score', operator, values: [wanted] })?.(value)
      expect(meets('exact', score)).toBe(true)
      expect([meets('gt', score), meets('lt', score)]).toEqual([false, false])
      const other = score.replace(last, digit => String((Number(digit) + 1) % 10))
      expect([other, meets('exact', other)]).toEqual([other, false])
      expect([other, meets('gt', other)]).toEqual([other, !meets('lt', other)])
    }),
    runs,
  )
})
