import { expect, test } from 'vitest'
import { withoutService } from '../../../src/commands/sandbox/without-service.ts'

/** Whether the variable is taken out of the environment of a script. */
function leads(baseUrl: string, value: string): boolean {
  const env = { ANALYTICS_BASE_URL: baseUrl, ANALYTICS_CONFIG_DIR: '/nonexistent', VALUE: value }
  return withoutService({ env, cwd: '/', home: '/nonexistent' }).ignored.includes('VALUE')
}

const service = 'https://analytics.example.com:8443/prefix/'

test.each([
  'analytics.example.com',
  'HTTPS://Analytics.Example.COM',
  'https://analytics.example.com./',
  'analytics.example.com:443',
  'http://user:pass@analytics.example.com/',
  '[https://analytics.example.com]',
  '<https://analytics.example.com>',
  '(analytics.example.com)',
  '{analytics.example.com}',
  'https://analytics.example.com|42',
  '42|analytics.example.com',
  '42:analytics.example.com',
  'x+analytics.example.com&y',
  'a,analytics.example.com;b',
  'host=analytics.example.com port=1',
  'See https://analytics.example.com.',
  '\u201eanalytics.example.com\u201c',
])('%s names the service', value => expect(leads(service, value)).toBe(true))

test.each([
  'eu.analytics.example.com',
  'analytics.example.com.evil.org',
  'analytics.example.community',
  'my-analytics.example.com',
  'analytics.example.com-old',
  'my_analytics.example.com',
  '/etc/certs/analytics.example.com/chain.pem',
  'https://other.example.com/analytics.example.com',
])('%s names something else', value => expect(leads(service, value)).toBe(false))

test.each([
  ['http://analytics/', 'http://analytics/api', true],
  ['http://analytics/', 'analytics:8000', true],
  ['http://analytics/', '/opt/analytics/bin', false],
  ['http://analytics/', 'analytics_db', false],
  ['http://analytics/', 'analytics@example.com', false],
  ['http://analytics/', 'postgres://analytics:secret@db/analytics', false],
  ['https://m\u00fcller.example/', 'https://M\u00dcLLER.example/', true],
  ['https://m\u00fcller.example/', 'xn--mller-kva.example', true],
  ['https://[2001:db8::1]/', 'https://[2001:DB8::1]:443/', true],
  ['https://[2001:db8::1]/', '[2001:db8::2]', false],
])('of the service at %s, %j: %s', (baseUrl, value, expected) => expect(leads(baseUrl, value)).toBe(expected))

test.each([
  ['http://localhost/', 'http://localhost/api', true],
  ['http://localhost/', 'localhost:80', true],
  ['http://localhost/', 'http://127.0.0.1/', true],
  ['http://localhost/', 'https://localhost/', false],
  ['http://localhost/', 'postgres://localhost:5432/db', false],
  ['http://localhost/', 'postgres://localhost/db', false],
  ['http://localhost/', 'localhost,127.0.0.1', false],
  ['http://localhost:8000/', 'http://[::1]:8000/', true],
  ['http://localhost:8000/', 'x|LOCALHOST:8000|y', true],
  ['http://localhost:8000/', 'http://localhost/', false],
  ['http://localhost:8000/', 'http://localhost:80001/', false],
  ['http://localhost:80/', 'http://localhost', true],
  ['https://localhost/', 'https://localhost', true],
])('on this machine the port counts: of %s, %j: %s', (baseUrl, value, expected) =>
  expect(leads(baseUrl, value)).toBe(expected))

test('a long value of any form is searched to its end', () => {
  for (const part of ['a:', 'a@', 'a.', '//', 'a:b@', 'x//']) {
    expect(leads(service, part.repeat(60_000))).toBe(false)
  }
})
