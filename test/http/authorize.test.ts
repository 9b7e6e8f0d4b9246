import { expect, test } from 'vitest'
import { authorize, sharedKey } from '../../src/http/authorize.ts'
import { emptyBody } from '../../src/http/body.ts'
import { createSecrets } from '../../src/secrets/secrets.ts'

const key = 'phx_0123456789'

/** The headers of an answer as the program gets them. */
async function received(headers: Readonly<Record<string, string>>, secrets = createSecrets()) {
  const url = new URL('https://example.com/')
  const send = authorize(async () => ({ status: 302, headers, body: emptyBody }), {
    origin: url.origin,
    key: sharedKey(async () => key, secrets),
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
})
