import { expect, test } from 'vitest'
import { get, selfSigned, serve, serveTls, transport } from './loopback.ts'

const certificate = selfSigned('localhost')

test('a certificate that nobody vouches for is refused for good', async ({ skip }) => {
  if (!certificate) return skip('There is no openssl here to make a certificate with')
  const base = await serveTls(certificate, (_, response) => response.end('{}'))
  await expect(transport().send(get(new URL(`https://localhost:${base.port}`)))).rejects.toMatchObject({
    exit: 7,
    message: `The certificate of localhost:${base.port} is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)`,
    facts: { retryable: false, hint: expect.stringContaining('NODE_EXTRA_CA_CERTS') },
  })
})

test('a server without TLS is not asked twice for it', async () => {
  const base = await serve((_, response) => response.end('{}'))
  await expect(transport().send(get(new URL(`https://${base.host}`)))).rejects.toMatchObject({
    exit: 7,
    message: expect.stringContaining('does not speak TLS'),
    facts: { retryable: false },
  })
})
