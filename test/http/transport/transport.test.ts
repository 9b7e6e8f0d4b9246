import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { InterruptedError, RejectedError, UnavailableError, UnexpectedError } from '../../../src/errors.ts'
import type { Dispatcher } from '../../../src/host.ts'
import { type Progress, transportError } from '../../../src/http/transport/transport-error.ts'
import { dispatcherOf } from '../../in-memory.ts'
import { closedPort, failed, get, serve, serveRaw, text, transport } from '../loopback.ts'

const ok = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'
const row = '{"id":1,"name":"Ada"}'
const packed = gzipSync(row)

test('a request is sent and its response read without changes', async () => {
  const base = await serve((request, response) => {
    const { method, url, headers } = request
    response.setHeader('X-Twice', ['a', 'b'])
    response.setHeader('Set-Cookie', ['c=1, 2', 'd=3'])
    request.setEncoding('utf8').on('data', body => response.end(JSON.stringify([method, url, body, headers])))
  })
  const headers = { authorization: 'Bearer the-key', 'content-type': 'application/json' }
  const request = {
    ...get(base, '/api/?a=b'),
    method: 'PATCH',
    effect: 'set',
    body: '{"name":"Ada’s"}',
    headers,
  } as const
  const response = await transport().send(request)
  expect(response).toMatchObject({ status: 200, headers: { 'x-twice': 'a, b', 'set-cookie': 'c=1, 2, d=3' } })
  expect(JSON.parse(response.body.toString())).toEqual([
    'PATCH',
    '/api/?a=b',
    '{"name":"Ada’s"}',
    {
      host: base.host,
      connection: 'keep-alive',
      accept: 'application/json, */*;q=0.5',
      ...headers,
      'user-agent': 'analytics/0.0.0-test',
      'accept-encoding': 'gzip',
      'content-length': '18',
    },
  ])
})

test('a redirect is not followed', async () => {
  const asked: unknown[] = []
  const base = await serve(({ url }, response) => {
    asked.push(url)
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  expect([(await transport().send(get(base))).status, asked]).toEqual([302, ['/api/projects/']])
})

test.each([
  ['nothing at all', () => undefined],
  ['headers without an end', (socket: Socket) => socket.write(ok)],
  ['a body that stops half way', (socket: Socket) => socket.write(`${ok}content-length: 100\r\n\r\n{`)],
])('a server that sends %s times out', async (_, answer) => {
  const base = await serveRaw(answer)
  const { certainty, error } = failed(await transport({ timeout: 200 }).attempt(get(base)))
  expect(certainty).toBe('unknown')
  expect(error).toBeInstanceOf(UnavailableError)
  expect(error).toMatchObject({
    message: `${base.host} timed out after 0.2 s`,
    details: { retryable: true, method: 'GET', url: `${base.origin}/api/projects/` },
  })
})

test('a request counts as not sent after a refused connection or an endless TLS handshake', async () => {
  const closed = await closedPort()
  const silent = await serveRaw(() => undefined)
  for (const [url, words] of [
    [closed, 'refused the connection'],
    [new URL(`https://${silent.host}`), 'timed out after 0.2 s'],
  ] as const) {
    const { certainty, error } = failed(await transport({ timeout: 200 }).attempt(get(url)))
    expect(certainty).toBe('not-sent')
    expect(error).toMatchObject({ message: `${url.host} ${words}`, details: { retryable: true } })
  }
})

test.each([
  ['before its head', (socket: Socket) => socket.destroy(), /closed the connection/],
  ['by a reset', (socket: Socket) => socket.resetAndDestroy(), /closed the connection/],
  ['before its body', (socket: Socket) => socket.end(`${ok}content-length: 10\r\n\r\n`), /was cut off/],
  ['before its length', (socket: Socket) => socket.end(`${ok}content-length: 10\r\n\r\n{}`), /was cut off/],
  [
    'within its chunks',
    (socket: Socket) => socket.end(`${ok}transfer-encoding: chunked\r\n\r\n4\r\n{"a"`),
    /was cut off/,
  ],
  ['within JSON without a length', (socket: Socket) => socket.end(`${ok}\r\n{"results":[{"id":1},{"i`), /was cut off/],
  [
    'within gzip',
    (socket: Socket) => {
      socket.write(`${ok}connection: close\r\ncontent-encoding: gzip\r\n\r\n`)
      socket.end(packed.subarray(0, -9))
    },
    /was cut off/,
  ],
])('a response that ends %s was cut off', async (_, answer, message) => {
  const { certainty, error } = failed(await transport().attempt(get(await serveRaw(answer))))
  expect(certainty).toBe('unknown')
  expect(error).toBeInstanceOf(UnavailableError)
  expect(error).toMatchObject({ message: expect.stringMatching(message), details: { retryable: true } })
})

test('JSON without a length is complete if it ends correctly', async () => {
  const base = await serveRaw(socket => socket.end(`${ok}\r\n{"results":[{"id":"]"}]}\n`))
  expect(await text(transport().send(get(base)))).toBe('{"results":[{"id":"]"}]}\n')
})

test.each([
  ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['endless headers', `${ok}x: ${'y'.repeat(64 * 1024)}\r\n\r\n`],
])('a response with %s is not retried', async (_, answer) => {
  const base = await serveRaw(socket => socket.write(answer))
  await expect(transport().send(get(base))).rejects.toMatchObject({
    message: expect.stringMatching(/does not use HTTP/),
    details: { retryable: false },
  })
})

test('early hints before the response are ignored', async () => {
  const base = await serveRaw(socket => socket.end(`HTTP/1.1 103 Early Hints\r\n\r\n${ok}content-length: 2\r\n\r\n{}`))
  expect(await text(transport().send(get(base)))).toBe('{}')
})

test.each([
  ['gzip', packed, 200],
  ['GZIP', packed, 200],
  ['x-gzip', Buffer.concat([packed]), 404],
  ['identity ', Buffer.from(row), 200],
  ['', Buffer.from(row), 200],
])('a response that is encoded as "%s" is read', async (encoding, bytes, status) => {
  const base = await serve((_, response) => response.writeHead(status, { 'content-encoding': encoding }).end(bytes))
  const response = await transport().send(get(base))
  expect([response.status, response.body.toString()]).toEqual([status, row])
})

test('a response in another encoding is refused, and an error keeps its status', async () => {
  for (const status of [200, 502]) {
    const base = await serve((_, response) => response.writeHead(status, { 'content-encoding': 'br' }).end('bomb'))
    const answered = await transport()
      .send(get(base))
      .catch(error => error)
    if (status === 502) expect(answered).toMatchObject({ status, body: Buffer.alloc(0) })
    else expect(answered).toMatchObject({ exit: 5, details: { status, code: 'not-the-service' } })
  }
})

const members = gzipSync(Buffer.alloc(64 * 1024 * 1024))

test('a response of more than 256 MB is refused, compressed or not', async () => {
  const bomb = Buffer.concat([members, members, members, members, packed])
  const compressed = await serve((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb))
  const endless = await serve((_, response) => {
    const chunk = Buffer.alloc(4 * 1024 * 1024, '[')
    const more = () => {
      while (response.write(chunk));
      response.once('drain', more)
    }
    more()
  })
  for (const base of [compressed, endless]) {
    const refused = transport().send(get(base))
    await expect(refused).rejects.toBeInstanceOf(RejectedError)
    await expect(refused).rejects.toThrow('larger than 256 MB')
  }
})

test('a 204 that announces a body has none', async () => {
  const base = await serveRaw(socket => socket.write('HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n{"a"}'))
  const { send } = transport()
  for (let i = 0; i < 2; i++) expect(await send(get(base))).toMatchObject({ status: 204, body: Buffer.alloc(0) })
})

test('an interruption ends current and later requests with its own reason', async () => {
  const interruption = new AbortController()
  const reason = new InterruptedError('SIGINT')
  let arrived: () => void
  const first = new Promise<void>(resolve => (arrived = resolve))
  const base = await serve((_, response) => {
    response.write('{')
    arrived()
  })
  const { send } = transport({ signal: interruption.signal })
  const reading = send(get(base))
  const writing = send({ ...get(base), method: 'POST', effect: 'act' })
  writing.catch(() => undefined)
  await first
  interruption.abort(reason)
  await expect(reading).rejects.toBe(reason)
  await expect(writing).rejects.toMatchObject({ exit: reason.exit })
  await expect(send(get(base))).rejects.toBe(reason)
})

test('an injected dispatcher replaces undici, and stays open', async () => {
  let destroyed = false
  const dispatcher: Dispatcher = {
    ...dispatcherOf(({ url }) => ({ status: 200, body: url.href })),
    async destroy() {
      destroyed = true
    },
  }
  const { send, close } = transport({ dispatcher })
  expect(await text(send(get(new URL('https://analytics.example.com'), '/a/?b=c')))).toBe(
    'https://analytics.example.com/a/?b=c',
  )
  await close()
  expect(destroyed).toBe(false)
})

const request = get(new URL('https://analytics.example.com'), '/api/projects/?search=ada%40example.com')
const before: Progress = { request, proxy: undefined, isSent: false, isAnswered: false, timeout: 30_000 }

const coded = (code: string, cause?: unknown) => Object.assign(new Error('text that nobody reads', { cause }), { code })

test.each([
  ['ECONNREFUSED', 'refused the connection', true],
  ['ENOTFOUND', 'is not a known host', true],
  ['EAI_AGAIN', 'is not a known host', true],
  ['EHOSTUNREACH', 'The connection to HOST failed: EHOSTUNREACH', true],
  ['EMFILE', 'The connection to HOST failed: too many files are open', true],
  ['ECONNRESET', 'closed the connection', true],
  ['UND_ERR_CONNECT_TIMEOUT', 'timed out after 30 s', true],
  ['UND_ERR_ABORTED', 'The proxy refused a connection to HOST', false],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'The certificate of HOST is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)', false],
  ['CERT_HAS_EXPIRED', 'The certificate of HOST is not trusted (CERT_HAS_EXPIRED)', false],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'The certificate of HOST is not trusted (ERR_TLS_CERT_ALTNAME_INVALID)', false],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'does not use TLS correctly', false],
  ['EPROTO', 'does not use TLS correctly (EPROTO)', false],
  ['HPE_INVALID_CONSTANT', 'does not use HTTP', false],
])('%s before the request was sent: %s', (code, words, retryable) => {
  const failure = transportError(coded(code), before)
  expect(failure).toBeInstanceOf(UnavailableError)
  expect(failure.message).toContain(words.replace('HOST', request.url.host))
  expect(failure.details).toMatchObject({ code, retryable, url: 'https://analytics.example.com/api/projects/' })
})

test('after a write was sent the hint says whether it is safe to repeat', () => {
  const hintOf = (effect: 'set' | 'act', method: string, path = '/') => {
    const url = new URL(path, request.url)
    const sent = { ...before, request: { ...request, effect, method, url }, isSent: true }
    const failure = transportError(coded('ECONNRESET'), sent)
    expect(failure.details.retryable).toBe(effect === 'set')
    return failure.details.hint
  }
  expect(hintOf('act', 'POST')).toBe('The change may have been made: check before you repeat it')
  expect(hintOf('set', 'PATCH')).toBe('The change may have been made. You can safely run the same command again')
  const look = 'It may be deleted: check before you repeat the command'
  expect(hintOf('set', 'DELETE')).toBe(look)
  expect(hintOf('set', 'DELETE', '/?delete_events=true')).toBe(
    `${look}. A second run cannot tell whether the events were queued`,
  )
})

test('the code of an error is read from its cause, or from the first of several addresses', () => {
  expect(transportError(new Error('x', { cause: coded('ECONNREFUSED') }), before).details.code).toBe('ECONNREFUSED')
  expect(transportError(new AggregateError([coded('ECONNREFUSED')]), before).details.code).toBe('ECONNREFUSED')
})

test('an unknown transport error before the request is sent is an unexpected failure', () => {
  for (const error of [coded('UND_ERR_INVALID_ARG'), new Error('Odd')]) {
    expect(transportError(error, before)).toBeInstanceOf(UnexpectedError)
  }
})
