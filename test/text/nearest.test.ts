import { expect, test } from 'vitest'
import { isNearly } from '../../src/text/nearest.ts'
import * as fc from '../fast-check.ts'

test.each([
  ['email', 'emial', true],
  ['email', 'Email', true],
  ['email', 'EMIAL', true],
  ['email', 'mail', true],
  ['email', 'e-mail', true],
  ['email', 'emaik', true],
  ['email', 'email ', true],
  ['a', 'A', true],
  ['aa', 'aaa', true],
  ['ab', 'ba', true],
  ['caf\u00e9', 'cafe\u0301', true],
  ['email', 'email', false],
  ['email', 'meial', false],
  ['email', 'male', false],
  ['email', 'e_ma_il', false],
  ['a', 'b', false],
  ['a', '', false],
  ['plan', 'planner', false],
])('%j and %j are nearly the same: %s', (one, other, isSo) => {
  expect([isNearly(one, other), isNearly(other, one)]).toEqual([isSo, isSo])
})

test('any one slip in a name is nearly the name', () => {
  const name = fc.stringMatching(/^[a-z]{3,12}$/)
  const slip = fc.record({ at: fc.nat(), by: fc.constantFrom('-', '0', 'é', '\u{1f600}'), kind: fc.nat(3) })
  fc.assert(
    fc.property(name, slip, (text, { at, by, kind }) => {
      const i = at % (text.length - 1)
      const [before, here = '', next = ''] = [text.slice(0, i), text[i], text[i + 1]]
      const after = text.slice(i + 1)
      const typed = [
        before + after,
        before + by + after,
        before + by + here + after,
        before + next + here + text.slice(i + 2),
      ]
      expect(isNearly(text, typed[kind] ?? '')).toBe(typed[kind] !== text)
    }),
  )
})
