import { describe, expect, test } from 'vitest'
import { createSecrets } from '../../src/secrets/secrets.ts'
import * as fc from '../fast-check.ts'
import { holdsSecret, spellings } from '../spellings.ts'

const key = 'phx_n0/tReal+Key==AbC-9'

function hiding(...known: readonly string[]) {
  const secrets = createSecrets()
  for (const secret of known) secrets.add(secret)
  return secrets
}

describe.each(Object.entries(spellings))('a secret %s', (name, spell) => {
  test('is replaced in the text around it', () => {
    const shown = hiding(key).hide(`before ${spell(key)} behind`)
    const isBase64 = name.includes('Base64')
    expect(shown).toMatch(isBase64 ? /^before .{0,10}\*\*\*.{0,10} behind$/ : /^before (Bearer )?\*\*\* behind$/)
  })

  test('is replaced wherever it occurs', () => {
    const secret = fc.oneof(fc.stringMatching(/^[!-~]{8,80}$/), fc.stringMatching(/^[\xc0-\xff\u0430-\u044f]{8,20}$/))
    // Letters and digits beside Base64 would be a part of it.
    const around = fc.string().map(text => `${text} `)
    fc.assert(
      fc.property(secret, around, around, (own, before, behind) => {
        const shown = hiding(own).hide(`${before}${spell(own)} ${behind}`)
        expect(shown).toContain('***')
        expect(holdsSecret(shown.replaceAll('***', '\u0000'), own)).toBe(false)
      }),
    )
  })
})

test('a plain secret is found after any text, even an incomplete escape', () => {
  const secret = fc.stringMatching(/^[!-~]{8,80}$/)
  const before = fc.oneof(fc.string(), fc.constantFrom('%', '%2', '\\', '\\u', '\\u00'))
  fc.assert(
    fc.property(before, secret, (text, own) => {
      expect(hiding(own).hide(text + own)).not.toContain(own)
    }),
  )
})

test('a text without a secret is not changed', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.character }), text => {
      fc.pre(!text.includes(key))
      expect(hiding(key).hide(text)).toBe(text)
    }),
  )
})

test('several secrets are replaced, also one that contains another', () => {
  const secrets = hiding('first-secret', 'secret-second', 'first-secret-second')
  expect(secrets.hide('a first-secret-second b secret-second c')).toBe('a *** b *** c')
})

test('secrets in other alphabets are found and replaced whole', () => {
  const secrets = hiding('schlüssel-дом')
  expect(secrets.hide('ü schl\\u00FCssel-%D0%B4%d0%be\\u043c ж')).toBe('ü *** ж')
})

test('a text of fewer than 7 characters is not a secret: it would occur in words', () => {
  expect(hiding('key', '', 'secret').hide('a key (secret)')).toBe('a key (secret)')
})

test('JSON remains valid after secrets are replaced', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.constant(key), fc.constant(`\\${key}\\`))), texts => {
      const { value } = JSON.parse(hiding(key).hide(JSON.stringify({ value: texts.join('') })))
      expect(value).not.toContain(key)
    }),
  )
})

test.each([
  '\\',
  '%25',
  '%',
  '\\u',
  'phx_',
  'phx_n0/tReal',
  ' ',
  '\u00e9',
])('a megabyte of %j is searched quickly', piece => {
  const text = piece.repeat(1_000_000 / piece.length)
  expect(hiding(key).hide(text)).toBe(text)
})
