import { expect, test } from 'vitest'
import { matcherOf } from '../../src/filters/filter.ts'
import { compareNumbers } from '../../src/values/number.ts'
import * as fc from '../fast-check.ts'

const { sign } = Math

const decimal = fc.record({ digits: fc.bigInt(-(10n ** 24n), 10n ** 24n), places: fc.integer({ min: 0, max: 30 }) })

/** Written with a point, or with an exponent; zeros at both ends change nothing. */
function spellings({ digits, places }: typeof decimal extends fc.Arbitrary<infer D> ? D : never): string[] {
  const minus = digits < 0n ? '-' : ''
  const text = String(digits)
    .replace('-', '')
    .padStart(places + 1, '0')
  const whole = text.slice(0, text.length - places)
  const fraction = text.slice(text.length - places)
  return [
    `${minus}${whole}${places > 0 ? `.${fraction}` : ''}`,
    `${minus}00${whole}.${fraction}00`,
    `${digits}e-${places}`,
    `${digits}000E-${places + 3}`,
  ]
}

test('numbers of any length compare exactly, however they are written', () => {
  fc.assert(
    fc.property(decimal, decimal, (a, b) => {
      const [one, other] = [a.digits * 10n ** BigInt(b.places), b.digits * 10n ** BigInt(a.places)]
      const wanted = one < other ? -1 : one > other ? 1 : 0
      const pairs = spellings(a).flatMap(left => spellings(b).map(right => [left, right] as const))
      for (const [left, right] of pairs)
        expect([left, right, sign(compareNumbers(left, right)) || 0]).toEqual([left, right, wanted])
    }),
  )
})

test.each([
  ['9007199254740993', '9007199254740992.5', 1],
  ['-9007199254740993', '-9007199254740992.5', -1],
  ['1e400', '2e400', -1],
  ['0', '-0.0', 0],
  ['0e9', '0.00', 0],
])('comparing %s with %s gives %i', (a, b, order) => {
  expect([sign(compareNumbers(a, b)), sign(compareNumbers(b, a))]).toEqual([order, 0 - order])
})

test('a text whose exponent a double cannot hold is not a number, and is compared as text', () => {
  const equals = (own: string, wanted: string) => matcherOf({ key: 'a', operator: 'exact', values: [wanted] })?.(own)
  expect(equals('1e90071992547409930', '1e90071992547409930')).toBe(true)
  expect(equals('1e90071992547409931', '1e90071992547409930')).toBe(false)
  expect(equals('1e900719925474099', '10e900719925474098')).toBe(true)
})

test.each([
  ['2026-01-01T00:00:00.000600Z', '2026-01-01T00:00:00.000550Z'],
  ['2026-01-01T00:00:00.000001+00', '2026-01-01T00:00:00Z'],
  ['2026-01-01 00:00:00.123456789', '2026-01-01T01:00:00.1234567880+01:00'],
  ['1969-12-31T23:59:59.9995Z', '1969-12-31T23:59:59.999Z'],
])('%s is after %s', (later, earlier) => {
  const fits = (operator: 'is_date_after' | 'is_date_before' | 'is_date_exact', own: string, wanted: string) =>
    matcherOf({ key: 'a', operator, values: [wanted] })?.(own)
  expect([fits('is_date_after', later, earlier), fits('is_date_after', earlier, later)]).toEqual([true, false])
  expect([fits('is_date_before', later, earlier), fits('is_date_before', earlier, later)]).toEqual([false, true])
  expect([fits('is_date_exact', later, earlier), fits('is_date_exact', later, later)]).toEqual([false, true])
})
