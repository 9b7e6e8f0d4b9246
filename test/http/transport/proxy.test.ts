import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { UnsentError, UsageError } from '../../../src/errors.ts'
import { proxyFor } from '../../../src/http/transport/choose-proxy.ts'
import { proxyToken } from '../../../src/http/transport/proxy.ts'
import {
  type Certificate,
  closedPort,
  get,
  listening,
  selfSigned,
  serve,
  serveRaw,
  serveTls,
  text,
  transport,
} from '../loopback.ts'

const site = new URL('https://analytics.example.com/api/')
const proxy = 'http://proxy.example.com:3128'
const through = (env: Record<string, string>, url = site) => proxyFor(url, env)?.origin

test('the variable of the scheme names the proxy; the lower-case name wins; an empty one names none', () => {
  expect(through({ HTTPS_PROXY: proxy })).toBe(proxy)
  expect(through({ HTTP_PROXY: proxy })).toBeUndefined()
  expect(through({ HTTP_PROXY: proxy }, new URL('http://analytics.example.com'))).toBe(proxy)
  expect(through({ HTTPS_PROXY: 'http://other.example.com', https_proxy: proxy })).toBe(proxy)
  expect(through({ HTTPS_PROXY: '' })).toBeUndefined()
  expect(through({ ALL_PROXY: proxy })).toBe(proxy)
  expect(through({ all_proxy: 'http://other.example.com', HTTPS_PROXY: proxy })).toBe(proxy)
  expect(through({ HTTPS_PROXY: 'proxy.example.com:3128' })).toBe(proxy)
})

test.each([
  ['*', true],
  ['analytics.example.com', true],
  ['example.com', true],
  ['.example.com', true],
  ['*.example.com', true],
  ['other.test, ANALYTICS.example.COM', true],
  ['other.test analytics.example.com', true],
  ['analytics.example.com:443', true],
  ['.example.com:443', true],
  ['analytics.example.com:8443', false],
  ['ample.com', false],
  ['ics.example.com', false],
  ['com.example', false],
  ['', false],
])('NO_PROXY=%s excepts the host: %s', (list, excepted) => {
  expect(proxyFor(site, { HTTPS_PROXY: proxy, NO_PROXY: list }) === undefined).toBe(excepted)
})

test.each([
  // An address is the same in each of its spellings.
  ['192.0.2.7', '192.0.2.7', true],
  ['192.0.2.7', '0300.0.2.07', true],
  ['192.0.2.7', '192.0.519', true],
  ['3221225991', '192.0.2.7', true],
  ['192.0.2.7.', '192.0.2.7', true],
  ['192.0.2.7', '192.0.2.7.', true],
  ['192.0.2.7', '192.0.2.7:443', true],
  ['192.0.2.7', '192.0.2.7:8443', false],
  ['192.0.2.7', '2.7', false],
  ['192.0.2.7', '.2.7', false],
  ['[2001:db8::1]', '2001:db8::1', true],
  ['[2001:db8::1]', '2001:DB8:0:0::0001', true],
  ['[2001:db8::1]', '[2001:db8::1]', true],
  ['[2001:db8::1]', '[2001:0db8::1]:443', true],
  ['[2001:db8::1]', '[2001:db8::1]:8443', false],
  ['[2001:db8::1]', '2001:db8::2', false],
  ['[::ffff:192.0.2.7]', '192.0.2.7', true],
  ['192.0.2.7', '::ffff:192.0.2.7', true],
  // Blocks of addresses.
  ['192.0.2.7', '192.0.2.0/24', true],
  ['192.0.2.7', '192.0.2.99/24', true],
  ['192.0.2.7', 'other.test,10.0.0.0/8, 192.0.0.0/16', true],
  ['192.0.2.7', '192.0.2.7/32', true],
  ['192.0.2.7', '192.0.3.0/24', false],
  ['192.0.2.7', '192.0.2.0/33', false],
  ['192.0.2.7', '192.0.2.0/', false],
  ['192.0.2.7', '192.0.2.0/24x', false],
  ['192.0.2.7', '0.0.0.0/0', true],
  ['[2001:db8::1]', '2001:db8::/32', true],
  ['[2001:db8::1]', '[2001:db8::]/32', true],
  ['[2001:db8::1]', '2001:db9::/32', false],
  ['[2001:db8::1]', '2001:db8::/129', false],
  ['[2001:db8::1]', '192.0.2.0/24', false],
  // Names, with dots before and after them.
  ['analytics.example.com.', 'example.com', true],
  ['analytics.example.com', 'example.com.', true],
  ['analytics.example.com', '.example.com.', true],
  ['analytics.example.com', 'example.com.:443', true],
  ['analytics.example.com', 'example.com/24', false],
  ['analytics.example.com', '.', false],
  ['bücher.example.com', 'xn--bcher-kva.example.com', true],
  ['xn--bcher-kva.example.com', 'BÜCHER.example.com', true],
])('%s with NO_PROXY=%s goes without the proxy: %s', (host, list, excepted) => {
  const env = { HTTPS_PROXY: proxy, NO_PROXY: list }
  expect(proxyFor(new URL(`https://${host}/`), env) === undefined).toBe(excepted)
})

test('this machine is never asked of a proxy: the key would leave it', () => {
  for (const host of ['localhost', 'a.localhost', '127.0.0.1', '127.3.2.1', '[::1]']) {
    expect(through({ HTTP_PROXY: proxy }, new URL(`http://${host}:8010/`))).toBeUndefined()
  }
})

test.each([
  'socks5://proxy.example.com',
  'http://',
  'no proxy',
])('a proxy %s is refused, its value not shown', value => {
  const password = value.replace('://', '://ada:secret@')
  expect(() => proxyFor(site, { HTTPS_PROXY: password })).toThrow(UsageError)
  expect(() => proxyFor(site, { HTTPS_PROXY: password })).not.toThrow(/secret/)
  expect(() => proxyFor(site, { ALL_PROXY: password })).toThrow(/^ALL_PROXY/)
})

test('user and password of a proxy become its token', () => {
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
  expect(proxyToken(new URL('http://ada:p%40ss@proxy.example.com'))).toBe(basic('ada:p@ss'))
  expect(proxyToken(new URL('http://ada@proxy.example.com'))).toBe(basic('ada:'))
  expect(proxyToken(new URL('http://ada:100%@proxy.example.com'))).toBe(basic('ada:100%'))
  expect(proxyToken(new URL(proxy))).toBeUndefined()
})

test('http goes through the proxy as a whole address', async () => {
  const seen: unknown[] = []
  const server = await serve(({ method, url, headers }, response) => {
    seen.push([method, url, headers.host, headers['proxy-authorization']])
    response.end('{}')
  })
  const { send } = transport({ env: { http_proxy: `http://ada:secret@${server.host}` } })
  expect(await text(await send(get(new URL('http://analytics.example.com:8080'), '/api/?a=b')))).toBe('{}')
  expect(seen).toEqual([
    ['GET', 'http://analytics.example.com:8080/api/?a=b', 'analytics.example.com:8080', 'Basic YWRhOnNlY3JldA=='],
  ])
})

const certificate = selfSigned('analytics.example.com')
const folder = mkdtempSync(join(tmpdir(), 'analytics-proxy-'))
const caFile = join(folder, 'ca.pem')
writeFileSync(caFile, certificate?.cert ?? '')
afterAll(() => rmSync(folder, { recursive: true }))

test('https goes through a tunnel in which the proxy reads nothing, the key least of all', async ({ skip }) => {
  if (!certificate) return skip('There is no openssl here to make a certificate with')
  const keys: unknown[] = []
  const server = await serveTls(certificate, (request, response) => {
    keys.push(request.headers.authorization)
    response.end('{}')
  })
  const tunnel = await tunnelTo(Number(server.port))
  const { send } = transport({ env: { HTTPS_PROXY: `http://ada:secret@${tunnel.url.host}` }, caFile })
  const request = { ...get(site), headers: { authorization: 'Bearer the-key' } }
  expect(await text(await send(request))).toBe('{}')
  expect(await text(await send(request))).toBe('{}')
  expect(keys).toEqual(['Bearer the-key', 'Bearer the-key'])
  expect(tunnel.asked[0]).toMatchObject({
    target: 'analytics.example.com:443',
    headers: { 'proxy-authorization': 'Basic YWRhOnNlY3JldA==' },
  })
  const read = JSON.stringify(tunnel.asked) + Buffer.concat(tunnel.carried).toString('latin1')
  expect(read).not.toMatch(/the-key|authorization: Bearer/i)
})

test('a proxy that opens no tunnel, or is not there, has not sent the request', async () => {
  const wary = http.createServer().on('connect', (_, socket) => socket.end('HTTP/1.1 407 Who are you\r\n\r\n'))
  const page = 'HTTP/1.1 200 OK\r\n\r\n<html>Sign in</html>'
  const proxies = [
    [await listening(wary, 'http'), 'PROXY did not open a connection to analytics.example.com (407)'],
    [await serve((_, response) => response.end()), 'PROXY closed the connection'],
    [await serveRaw(() => undefined), 'PROXY timed out after 0.3 s'],
    [await serveRaw(socket => socket.write('SSH-2.0-OpenSSH_9.6\r\n')), 'PROXY does not speak HTTP'],
    [await closedPort(), 'PROXY refused the connection'],
    [await serveRaw(socket => socket.write(page)), 'analytics.example.com does not speak TLS'],
  ] as const
  for (const [{ host }, words] of proxies) {
    const timeout = words.includes('timed out') ? 300 : 30_000
    const error = await transport({ env: { HTTPS_PROXY: host }, timeout })
      .send(get(site))
      .catch(error => error)
    expect(error).toBeInstanceOf(UnsentError)
    expect(error.message).toContain(words.replace('PROXY', `The proxy ${host}`))
    expect(error.facts.hint).toMatch(/proxy variables|between here and the service/)
    expect(error.facts.hint).not.toContain('the service is running')
  }
})

test.for(['localhost', '127.0.0.1'])('a proxy at https://%s is known by its own name', async (name, { skip }) => {
  const own = selfSigned(name)
  if (!certificate || !own) return skip('There is no openssl here to make a certificate with')
  const answer: http.RequestListener = ({ url }, response) => void response.end(url)
  const both = join(folder, `${name}.pem`)
  writeFileSync(both, certificate.cert + own.cert)
  const server = await serveTls(certificate, answer)
  const tunnel = await tunnelTo(Number(server.port), own)
  const plain = await serveTls(own, answer)
  const env = { HTTPS_PROXY: `https://${name}:${tunnel.url.port}`, HTTP_PROXY: `https://${name}:${plain.port}` }
  const { send } = transport({ env, caFile: both })
  expect(await text(await send(get(site)))).toBe('/api/projects/')
  expect(tunnel.asked[0]?.target).toBe('analytics.example.com:443')
  const http = new URL('http://analytics.example.com')
  expect(await text(await send(get(http)))).toBe('http://analytics.example.com/api/projects/')
})

test.for(['https', 'http'])('a certificate of the proxy that is refused is said to be its own: %s', async (scheme, {
  skip,
}) => {
  const other = selfSigned('analytics.example.com')
  if (!certificate || !other) return skip('There is no openssl here to make a certificate with')
  for (const [own, words] of [
    [other, 'is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)'],
    [certificate, 'is for another name'],
  ] as const) {
    const tunnel = await tunnelTo(1, own)
    const host = `localhost:${tunnel.url.port}`
    const { send } = transport({ env: { ALL_PROXY: `https://${host}` }, caFile })
    await expect(send(get(new URL(`${scheme}://analytics.example.com`)))).rejects.toMatchObject({
      message: `The certificate of the proxy ${host} ${words}`,
      facts: { retryable: false, hint: expect.stringMatching(/^Check the proxy variables/) },
    })
  }
})

test('an https: address of a proxy that speaks plain HTTP names the proxy', async () => {
  const tunnel = await tunnelTo(1)
  const { host } = tunnel.url
  await expect(transport({ env: { HTTPS_PROXY: `https://${host}` } }).send(get(site))).rejects.toMatchObject({
    message: expect.stringContaining(`The proxy ${host} does not speak TLS`),
  })
})

test('a certificate is checked behind a proxy as well', async ({ skip }) => {
  if (!certificate) return skip('There is no openssl here to make a certificate with')
  const server = await serveTls(certificate, (_, response) => response.end('{}'))
  const tunnel = await tunnelTo(Number(server.port))
  await expect(transport({ env: { HTTPS_PROXY: tunnel.url.host } }).send(get(site))).rejects.toMatchObject({
    message: expect.stringContaining('The certificate of analytics.example.com is not trusted'),
    facts: { retryable: false },
  })
})

/** A proxy that answers CONNECT with a way to `port`, whatever is asked for, and keeps what it saw. */
async function tunnelTo(port: number, own?: Certificate) {
  const asked: { target: string | undefined; headers: http.IncomingHttpHeaders }[] = []
  const carried: Buffer[] = []
  const server = own ? https.createServer(own) : http.createServer()
  server.on('connect', (request: http.IncomingMessage, socket: Duplex, head: Buffer) => {
    asked.push({ target: request.url, headers: request.headers })
    const far = net.connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      far.write(head)
      socket.on('data', (chunk: Buffer) => carried.push(chunk)).pipe(far)
      far.on('data', chunk => carried.push(chunk)).pipe(socket)
    })
    far.on('error', () => socket.destroy())
    socket.on('error', () => far.destroy())
  })
  return { url: await listening(server, 'http'), asked, carried }
}
