import { expect, test } from 'vitest'
import { emptyBody } from '../../src/http/body.ts'
import { redact } from '../../src/http/redact.ts'
import { createSecrets } from '../../src/secrets/secrets.ts'

test('headers hold neither key nor cookies, and nothing else of them is changed', () => {
  const secrets = createSecrets()
  secrets.add('phx_0123456789')
  const headers = {
    'set-cookie': 'sid=a-long-session; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT, csrf=another-secret; Secure',
    location: '/login?k=phx_0123456789',
    'x-request-id': 'a',
  }
  expect(redact({ status: 302, headers, body: emptyBody }, secrets).headers).toEqual({
    location: '/login?k=***',
    'x-request-id': 'a',
  })
  expect(secrets.hide('a-long-session another-secret 21 Oct 2026')).toBe('*** *** 21 Oct 2026')
})

test('of the cookies that load balancers set with each answer, the newest are known', () => {
  const secrets = createSecrets()
  const headersOf = (n: number) => ({
    'set-cookie': `AWSALB=session-${n}; Path=/, AWSALBCORS=session-${n}; Path=/; SameSite=None`,
    location: `/login?s=session-${n}`,
  })
  const answer = (n: number) =>
    redact({ status: 302, headers: headersOf(n), body: emptyBody }, secrets).headers.location
  for (let n = 1000; n < 1300; n++) expect(answer(n)).toBe('/login?s=***')
  for (let n = 1236; n < 1300; n++) expect(secrets.hide(`said: session-${n}`)).toBe('said: ***')
  // Otherwise memory and time would grow with each answer of a long run.
  expect(secrets.hide('said: session-1000')).toBe('said: session-1000')
})

test.each([
  ['sid="quoted-cookie"; Path=/', 'quoted-cookie'],
  ['sid=with,a-comma,in-it; Path=/', 'with,a-comma,in-it'],
  ['sid={"u":7,"t":"abcdefghij"}; Path=/', '{"u":7,"t":"abcdefghij"}'],
  ['sid={"u":7,"t":"abcdefghij"}; Path=/', 'abcdefghij'],
  ['one=first-cookie\ntwo=second-cookie; Path=/', 'second-cookie'],
  ['one=first-cookie, two=second-cookie', 'second-cookie'],
  ['sid=abcdefghij==; Path=/', 'abcdefghij=='],
])('%s: its value is not shown', (header, value) => {
  const secrets = createSecrets()
  redact({ status: 302, headers: { 'set-cookie': header }, body: emptyBody }, secrets)
  expect(secrets.hide(`said: ${value}.`)).not.toContain(value)
})
