import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSecrets, holdsSecret } from '../../src/secrets/secrets.ts'
import { brokenSpellings, spellings } from '../spellings.ts'

const key = 'phx_n0/tReal+Key==AbC-9'

function hiding(...known: readonly string[]) {
  const secrets = createSecrets()
  for (const secret of known) secrets.add(secret)
  return secrets
}

describe.each(Object.entries({ ...spellings, ...brokenSpellings }))('a secret %s', (name, spell) => {
  test('is taken out of what stands around it', () => {
    const shown = hiding(key).hide(`before ${spell(key)} behind`)
    expect(shown).toMatch(
      name.includes('Base64') ? /^before .{0,10}\*\*\*.{0,10} behind$/s : /^before ("|Bearer |0x)?\*\*\*"? behind$/,
    )
    expect(holdsSecret(spell(key), key)).toBe(true)
  })

  test('is taken out whatever it is and wherever it stands', () => {
    // What looks like an escape may be broken as well, and is none then.
    const secret = fc.stringMatching(name in brokenSpellings ? /^[!-$'-[\]-~]{8,80}$/ : /^[!-~]{8,80}$/)
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

test('a backslash before an escape of HTML or a URL is no part of it', () => {
  const own = '\\/secret-key'
  for (const spelled of ['\\&sol;secret-key', '\\%2Fsecret-key'])
    expect(hiding(own).hide(spelled)).not.toContain('secret')
})

test('what holds no secret stays as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      fc.pre(!text.includes(key))
      expect(hiding(key).hide(text)).toBe(text)
    }),
  )
})

test('several secrets are taken out, and one within another leaves nothing of it', () => {
  const secrets = hiding('first-secret', 'secret-second', 'first-secret-second')
  expect(secrets.hide('a first-secret-second b secret-second c')).toBe('a *** b *** c')
})

test('text of other alphabets is found, and not cut in the middle of a character', () => {
  const secrets = hiding('schlüssel-дом')
  expect(secrets.hide('ü schl\\u00FCssel-%D0%B4%d0%be\\u043c ж')).toBe('ü *** ж')
})

test('one of fewer than 8 characters is none: it would be found in words', () => {
  expect(hiding('key', '', '1234567').hide('a key 1234567')).toBe('a key 1234567')
})

describe('a part that is as secret as the whole', () => {
  const webhook = 'https://hooks.slack.com/services/T0CCCCCCC/B0DDDDDDD/myVerySecretPart98765'

  test.each([
    [webhook, 'url: /services/T0CCCCCCC/B0DDDDDDD/myVerySecretPart98765 (', 'url: *** ('],
    [webhook, 'hooks.slack.com/services/T0CCCCCCC/B0DDDDDDD/myVerySecretPart98765', 'hooks.slack.com***'],
    [webhook, 'services/T0CCCCCCC/B0DDDDDDD/myVerySecretPart98765', 'services/***/***/***'],
    [webhook, 'No hook myverysecretpart98765', 'No hook ***'],
    [`${webhook}/`, 'No hook myVerySecretPart98765', 'No hook ***'],
    ['HTTP://x.example/hook?token=aB12cD34&room=tests', 'GET /hook?token=aB12cD34&room=tests', 'GET ***'],
    ['https://x.example/hook?token=aB12cD34', 'No token aB12cD34 in a hook', 'No token *** in a hook'],
    ['https://x.example?token=aB12cD34', 'No aB12cD34', 'No ***'],
    ['https://x.example/a/checkout', 'at x.example/a/checkout: no checkout', 'at x.example***: no checkout'],
    ['https://shop.example.com/', 'shop.example.com/ and https://', 'shop.example.com/ and https://'],
    ['phc_Zq9Lm2Vt7RzzTop1', 'No Zq9Lm2Vt7RzzTop1', 'No ***'],
    ['project_settings', 'the settings', 'the settings'],
  ])('of %s', (secret, text, shown) => {
    expect(hiding(secret).hide(text)).toBe(shown)
  })
})

describe('a secret that is cut off', () => {
  test.each([
    [`No Token ${key.slice(0, 14)}… here`, 'No Token ***… here'],
    [`No Token ${key.slice(0, 8)}... here`, 'No Token ***... here'],
    [`No Token ${key}... here`, 'No Token ***... here'],
    [`No Token ${encodeURIComponent(key.slice(0, 12))}\\u2026 here`, 'No Token ***\\u2026 here'],
    [`No Token ${key.slice(0, 6)}\n${key.slice(6, 12)}… here`, 'No Token ***… here'],
    [`No Token ${Buffer.from(key.slice(0, 12)).toString('base64')}... here`, 'No Token ***... here'],
    [`No Token ${key.slice(0, 7)}… here`, `No Token ${key.slice(0, 7)}… here`],
    [`No Token ${key.slice(0, 14)} here`, `No Token ${key.slice(0, 14)} here`],
  ])('%j', (text, shown) => {
    expect(hiding(key).hide(text)).toBe(shown)
  })

  test('an address is none', () => {
    const secrets = hiding('https://hooks.slack.com/services/T0CCCCCCC')
    expect(secrets.hide('https://…@x.example, https://hooks.slack.com/...')).toBe(
      'https://…@x.example, https://hooks.slack.com/...',
    )
    expect(secrets.hide('https://hooks.slack.com/services/T0C…')).toBe('https://hooks.slack.com***…')
  })
})

test('words that stand beside each other are no secret, and what stands around one is shown', () => {
  const secrets = hiding('username', 'two words', '7068785f6e302f74')
  expect(secrets.hide('user:name two, words 70 users\nnamed')).toBe('user:name two, words 70 users\nnamed')
  expect(secrets.hide(' \u00ad user\n name \u200b. two\u00a0words\n')).toBe(' \u00ad *** \u200b. ***\n')
})

test('JSON stays JSON', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.constant(key), fc.constant(`\\${key}\\`))), texts => {
      const { value } = JSON.parse(hiding(key).hide(JSON.stringify({ value: texts.join('') })))
      expect(value).not.toContain(key)
    }),
  )
})

test.each([
  ...['\\', '%25', '%', '&#0', '\\u', '\\u{0', 'phx_'],
  ...['phx_n0/tReal', 'phx_n0/tReal..', '112, 104, 120,'],
  ...[' ', '\n', 'a ', '7:', '0x', '\u00e9', '\u200b', 'phx_n0/ '],
])('a megabyte of %j does not hold it up', piece => {
  const text = piece.repeat(1_000_000 / piece.length)
  expect(hiding(key).hide(text)).toBe(text)
})
