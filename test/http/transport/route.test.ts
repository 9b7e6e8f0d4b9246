/** Ways to the service: through proxies, and with other certificate authorities. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { UsageError } from '../../../src/errors.ts'
import { proxyFor, proxySecrets } from '../../../src/http/transport/proxy.ts'
import * as fc from '../../fast-check.ts'
import {
  closedPort,
  failed,
  get,
  listening,
  selfSigned,
  serve,
  serveRaw,
  serveTls,
  text,
  transport,
  tunnelTo,
} from '../loopback.ts'

const site = new URL('https://analytics.example.com/api/')
const proxy = 'http://proxy.example.com:3128'

test.each([
  [{ HTTPS_PROXY: proxy }, proxy],
  [{ HTTP_PROXY: proxy }, undefined],
  [{ HTTPS_PROXY: 'http://other.example.com', https_proxy: proxy }, proxy],
  [{ HTTPS_PROXY: '' }, undefined],
  [{ HTTPS_PROXY: 'proxy.example.com:3128' }, proxy],
])('by %j the proxy of an https address is %s', (env, origin) => {
  expect(proxyFor(site, env)?.origin).toBe(origin)
})

test.each(['localhost', 'a.localhost', '127.0.0.1', '[::1]'])('%s is never asked of a proxy', host => {
  expect(proxyFor(new URL(`http://${host}:8010/`), { HTTP_PROXY: proxy })).toBeUndefined()
})

test.each([
  'socks5://ada:secret@proxy.example.com',
  'http://',
  'no proxy',
  'http://CORP\\u:secret@host:1',
  'http://host:99999',
])('%s as a proxy variable is refused, and not repeated', value => {
  expect(() => proxyFor(site, { HTTPS_PROXY: value })).toThrow(UsageError)
  expect(() => proxyFor(site, { HTTPS_PROXY: value })).not.toThrow(/secret/)
})

test('any proxy variable is an address, or a usage error that does not repeat it', () => {
  const parts = fc.constantFrom('http://', 'socks5://', '//', 'u', ':', 'p%', '%zz', '%41', '@', 'host', '[::1]', ':80')
  const more = fc.constantFrom(':99999', '\\', '/', '?q', '#f', ' ', 'ü', '\u0000', '*', ',', '.example.com')
  const text = fc.array(fc.oneof(parts, more), { maxLength: 7 }).map(some => some.join(''))
  fc.assert(
    fc.property(text, text, (value, noProxy) => {
      const env = { HTTPS_PROXY: value, NO_PROXY: noProxy }
      expect(proxySecrets(env)).toBeInstanceOf(Array)
      try {
        const found = proxyFor(site, env)
        expect(found === undefined || /^https?:$/.test(found.protocol)).toBe(true)
      } catch (error) {
        expect(error).toBeInstanceOf(UsageError)
        expect(String(error)).not.toMatch(/p%|%zz/)
      }
    }),
  )
})

test('passwords of proxies are secret, alone and encoded', () => {
  const env = { HTTP_PROXY: 'http://ada:p%40ss-word@a', https_proxy: 'bob:100%@b', HTTPS_PROXY: 'http://c' }
  expect(proxySecrets(env)).toEqual(['p@ss-word', 'ada:p@ss-word', '100%', 'bob:100%'])
  expect(proxySecrets({ HTTP_PROXY: 'http://CORP\\u:secret@host:1' })).toEqual(['secret', 'CORP\\u:secret'])
})

const certificate = selfSigned('analytics.example.com')
const local = selfSigned('localhost')
const folder = mkdtempSync(join(tmpdir(), 'analytics-route-'))
const caFile = join(folder, 'ca.pem')
writeFileSync(caFile, `${certificate?.cert}\n# beside it\n${local?.cert}`)

test('the proxy cannot read https requests or their key', async ({ skip }) => {
  if (!certificate) return skip('There is no openssl here to make a certificate with')
  const keys: unknown[] = []
  const server = await serveTls(certificate, (request, response) => {
    keys.push(request.headers.authorization)
    response.end('{}')
  })
  const tunnel = await tunnelTo(Number(server.port))
  const { send } = transport({ env: { HTTPS_PROXY: `http://ada:secret@${tunnel.url.host}` }, caFile })
  const request = { ...get(site), headers: { authorization: 'Bearer the-key' } }
  for (let i = 0; i < 2; i++) expect(await text(send(request))).toBe('{}')
  expect(keys).toEqual(['Bearer the-key', 'Bearer the-key'])
  expect(tunnel.asked[0]).toMatchObject({
    target: 'analytics.example.com:443',
    headers: { 'proxy-authorization': 'Basic YWRhOnNlY3JldA==' },
  })
  const read = JSON.stringify(tunnel.asked) + Buffer.concat(tunnel.carried).toString('latin1')
  expect(read).not.toMatch(/the-key|authorization: Bearer/i)
})

/** A proxy that responds to plain requests itself, and refuses tunnels, as Squid does for port 80. */
async function forwarder(answer: http.RequestListener = (_, response) => response.end('{}')) {
  const asked: { method: string | undefined; target: string | undefined; headers: http.IncomingHttpHeaders }[] = []
  const keep = ({ method, url, headers }: http.IncomingMessage) => asked.push({ method, target: url, headers })
  const server = http.createServer((request, response) => {
    keep(request)
    answer(request, response)
  })
  server.on('connect', (request, socket) => {
    keep(request)
    socket.end('HTTP/1.1 403 No\r\n\r\n')
  })
  return { url: await listening(server, 'http'), asked }
}

test('a proxy gets http requests in the absolute form, with its own password', async () => {
  const { url, asked } = await forwarder()
  for (const [credentials, sent] of [
    ['', undefined],
    ['ada:s%40cret@', 'Basic YWRhOnNAY3JldA=='],
    ['ada@', 'Basic YWRhOg=='],
    ['ada:50%@', 'Basic YWRhOjUwJQ=='],
  ]) {
    const { send } = transport({ env: { HTTP_PROXY: `http://${credentials}${url.host}` } })
    const request = {
      ...get(new URL('http://analytics.example.com:8080'), '/api/?a=b'),
      headers: { authorization: 'k' },
    }
    for (let i = 0; i < 2; i++) expect(await text(send(request))).toBe('{}')
    expect(asked.splice(0)[1]).toMatchObject({
      method: 'GET',
      target: 'http://analytics.example.com:8080/api/?a=b',
      headers: { host: 'analytics.example.com:8080', authorization: 'k' },
    })
    const again = transport({ env: { HTTP_PROXY: `http://${credentials}${url.host}` } })
    await again.send(request)
    expect(asked.splice(0)[0]?.headers['proxy-authorization']).toBe(sent)
  }
})

test('a write through a proxy has its body, and counts as not sent if the proxy requires a password', async () => {
  const bodies: string[] = []
  const { url } = await forwarder(async (request, response) => {
    for await (const chunk of request) bodies.push(String(chunk))
    if (request.url?.includes('refused')) return response.writeHead(407).end('<html>Sign in</html>')
    response.end('{}')
  })
  const { send, attempt } = transport({ env: { HTTP_PROXY: url.href } })
  const write = (path: string) => ({
    ...get(new URL('http://analytics.example.com'), path),
    ...{ method: 'PATCH', body: '{"name":"x"}', effect: 'set' as const },
  })
  expect(await text(send(write('/api/projects/1/')))).toBe('{}')
  expect(bodies).toEqual(['{"name":"x"}'])
  const { certainty, error } = failed(await attempt(write('/refused/')))
  expect(certainty).toBe('not-sent')
  expect(error.message).toContain('The proxy refused a connection')
})

test.each([
  ['*', true],
  ['other.test, EXAMPLE.com', true],
  ['.example.com', true],
  ['*.example.com', true],
  ['analytics.example.com:8080', true],
  ['analytics.example.com:443', false],
  ['ample.com', false],
  ['', false],
])('NO_PROXY=%s skips the proxy: %s', async (list, isDirect) => {
  const { url, asked } = await forwarder()
  const { attempt } = transport({ env: { HTTP_PROXY: url.host, NO_PROXY: list }, timeout: 500 })
  const sent = await attempt(get(new URL('http://analytics.example.com:8080')))
  expect([sent.certainty, asked.length > 0]).toEqual(isDirect ? ['not-sent', false] : ['answered', true])
  // A host that is reached directly is no fault of the proxy.
  if (isDirect) expect(`${failed(sent).error.message} ${failed(sent).error.details.hint}`).not.toContain('proxy')
})

test('a request counts as not sent if the proxy refuses the tunnel or does not respond', async () => {
  const wary = http.createServer().on('connect', (_, socket) => socket.end('HTTP/1.1 407 Who are you\r\n\r\n'))
  const page = 'HTTP/1.1 200 OK\r\n\r\n<html>Sign in</html>'
  const proxies = [
    [await listening(wary, 'http'), 'The proxy refused a connection'],
    [await serve((_, response) => response.end()), 'closed the connection'],
    [await serveRaw(() => undefined), 'timed out after 0.3 s'],
    [await serveRaw(socket => socket.write('SSH-2.0-OpenSSH_9.6\r\n')), 'does not use HTTP'],
    [await closedPort(), 'refused the connection'],
    [await serveRaw(socket => socket.write(page)), 'does not use TLS'],
  ] as const
  for (const [{ host }, words] of proxies) {
    const timeout = words.includes('timed out') ? 300 : 30_000
    const { certainty, error } = failed(await transport({ env: { HTTPS_PROXY: host }, timeout }).attempt(get(site)))
    expect(certainty).toBe('not-sent')
    expect(error.message).toContain(words)
    expect(error.message).toContain(`analytics.example.com (or the proxy ${host})`)
    expect(error.details.hint).toMatch(/proxy variables|a proxy or firewall|--timeout/)
  }
})

test('an untrusted certificate is refused, also behind a proxy; the right CA file is accepted', async ({ skip }) => {
  if (!local) return skip('There is no openssl here to make a certificate with')
  const base = await serveTls(local, (_, response) => response.end('{}'))
  const request = get(new URL(`https://localhost:${base.port}`))
  const tunnel = await tunnelTo(Number(base.port))
  for (const [env, asked] of [
    [{}, request],
    [{ HTTPS_PROXY: tunnel.url.host }, get(site)],
  ] as const) {
    await expect(transport({ env }).send(asked)).rejects.toMatchObject({
      exit: 7,
      message: expect.stringMatching(/^The certificate of .* is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/),
      details: { retryable: false, hint: expect.stringMatching(/--ca-file.*ANALYTICS_CA_FILE.*NODE_EXTRA_CA_CERTS/) },
    })
  }
  const { send } = transport({ caFile })
  for (let i = 0; i < 3; i++) expect(await text(send(request))).toBe('{}')
  // Beside a file of our own, Node itself would pass over this variable.
  const other = join(folder, 'other.pem')
  writeFileSync(other, certificate?.cert ?? '')
  const both = transport({ caFile: other, env: { NODE_EXTRA_CA_CERTS: caFile } })
  expect(await text(both.send(request))).toBe('{}')
})

test('a CA file that does not exist is a usage error with its path', async () => {
  await expect(transport({ caFile: '/nowhere/ca.pem' }).send(get(site))).rejects.toMatchObject({
    exit: 2,
    message: expect.stringContaining('/nowhere/ca.pem'),
  })
})

test.each([
  '',
  'no certificate',
  '-----BEGIN CERTIFICATE-----\nZm9v\n-----END CERTIFICATE-----\n',
])('a CA file without a certificate is refused: %j', async content => {
  const empty = join(folder, 'empty.pem')
  writeFileSync(empty, content)
  await expect(transport({ caFile: empty }).send(get(site))).rejects.toMatchObject({
    exit: 2,
    message: expect.stringContaining('has no certificate'),
  })
})
