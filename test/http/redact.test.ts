import { expect, test } from 'vitest'
import { emptyBody } from '../../src/http/body.ts'
import { redact } from '../../src/http/redact.ts'
import { createSecrets } from '../../src/values/secrets.ts'

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
