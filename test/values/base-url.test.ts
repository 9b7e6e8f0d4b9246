import { expect, test } from 'vitest'
import { createClient } from '../../src/api/client.ts'
import { UsageError } from '../../src/errors.ts'
import { createSecrets } from '../../src/secrets/secrets.ts'
import { parseBaseUrl } from '../../src/values/url.ts'

test.each([
  'http://127.0.0.1:8010',
  'http://localhost',
  'http://a.localhost/',
  'http://[::1]:1/',
  'https://a.example.com',
])('%s is a base URL', text => expect(parseBaseUrl(text, false).pathname).toBe('/'))

test.each(['?', '/?', '#', '?#', '/analytics/?'])('nothing behind %s is no part of a base URL', end => {
  const base = parseBaseUrl(`https://a.example.com${end}`, false)
  const client = createClient(base, () => Promise.reject(), createSecrets())
  expect(client.raw('GET', '/api/', [], undefined).url.href).toBe(
    `https://a.example.com${end.replace(/\/?[?#]*$/, '')}/api/`,
  )
})

test.each([
  'http://a.example.com',
  'http://127.0.0.1.example.com',
  'http://localhost.example.com',
  'http://10.0.0.1',
])('%s is refused, because the network could read the key', text => {
  expect(() => parseBaseUrl(text, false)).toThrow(UsageError)
  expect(parseBaseUrl(text, true).protocol).toBe('http:')
})
