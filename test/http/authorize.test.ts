import { expect, test } from 'vitest'
import { authorize } from '../../src/http/authorize.ts'
import { emptyBody } from '../../src/http/body.ts'
import { createSecrets } from '../../src/secrets/secrets.ts'

const key = 'phx_0123456789'

/** The headers of an answer as the program gets them. */
async function received(headers: Readonly<Record<string, string>>, secrets = createSecrets()) {
  const url = new URL('https://example.com/')
  const send = authorize(async () => ({ status: 302, headers, body: emptyBody }), {
    origin: url.origin,
    key: () => key,
    headers: {},
    secrets,
  })
  return (await send({ method: 'GET', effect: 'read', destroys: false, url, headers: {} })).headers
}

test('headers hold neither key nor cookies, and nothing else of them is changed', async () => {
  const secrets = createSecrets()
  const headers = {
    'set-cookie': 'sid=a-long-session; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT, csrf=another-secret; Secure',
    location: '/login?k=phx_0123456789',
    'x-request-id': 'a',
  }
  expect(await received(headers, secrets)).toEqual({
    location: '/login?k=***',
    'x-request-id': 'a',
  })
  expect(secrets.hide('a-long-session another-secret 21 Oct 2026')).toBe('*** *** 21 Oct 2026')
})

test('of the cookies that load balancers set with each answer, the newest are known', async () => {
  const secrets = createSecrets()
  const headersOf = (n: number) => ({
    'set-cookie': `AWSALB=session-${n}; Path=/, AWSALBCORS=session-${n}; Path=/; SameSite=None`,
    location: `/login?s=session-${n}`,
  })
  const answer = async (n: number) => (await received(headersOf(n), secrets)).location
  for (let n = 1000; n < 1300; n++) expect(await answer(n)).toBe('/login?s=***')
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
])('%s: its value is not shown', async (header, value) => {
  const secrets = createSecrets()
  await received({ 'set-cookie': header }, secrets)
  expect(secrets.hide(`said: ${value}.`)).not.toContain(value)
})
