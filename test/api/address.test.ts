import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressOf, baseUrl, refuseAmbiguousSegment } from '../../src/api/address.ts'
import { UsageError } from '../../src/errors.ts'

test.each([
  'a',
  'ä',
  '%61',
  '...',
  '..a',
  'a..',
  '100%',
  '%zz',
  '{project}',
  '@current',
  'a;b',
  '',
])('%j is a segment', text => expect(() => refuseAmbiguousSegment(text)).not.toThrow())

test.each([
  '.',
  '..',
  '..;',
  '..;a=b',
  '/',
  '../2',
  'a/b',
  'a\\b',
])('%j leads elsewhere, however it is encoded', text => {
  fc.assert(
    fc.property(fc.boolean(), fc.boolean(), fc.nat(5), (all, upper, times) => {
      const hidden = text.replace(all ? /[./\\;]/g : /[/\\]/g, one => {
        const code = `%${one.charCodeAt(0).toString(16)}`
        return upper ? code.toUpperCase() : code
      })
      expect(() => refuseAmbiguousSegment(hidden.replaceAll('%', `%${'25'.repeat(times)}`))).toThrow(UsageError)
    }),
  )
})

test.each([
  'http://127.0.0.1:8010',
  'http://localhost',
  'http://a.localhost/',
  'http://[::1]:1/',
  'https://a.example.com',
])('%s is a base URL', text => expect(baseUrl(text, false).pathname).toBe('/'))

test.each(['?', '/?', '#', '?#', '/analytics/?'])('nothing behind %s is no part of a base URL', end => {
  const base = baseUrl(`https://a.example.com${end}`, false)
  expect(addressOf(base, '/api/').href).toBe(`https://a.example.com${end.replace(/\/?[?#]*$/, '')}/api/`)
})

test.each([
  'http://a.example.com',
  'http://127.0.0.1.example.com',
  'http://localhost.example.com',
  'http://10.0.0.1',
])('%s would show the key to the network', text => {
  expect(() => baseUrl(text, false)).toThrow(UsageError)
  expect(baseUrl(text, true).protocol).toBe('http:')
})
