import { once } from 'node:events'
import type { Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Dispatcher } from '../../../src/dispatcher.ts'
import { InterruptedError, RejectedError, UnavailableError, UnsentError } from '../../../src/errors.ts'
import { closedPort, get, serve, serveRaw, text, transport } from '../loopback.ts'

const ok = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'

test('a request says who asks and that it wants plain JSON; the answer comes with its status, headers and body', async () => {
  const seen: unknown[] = []
  const base = await serve((request, response) => {
    seen.push([request.method, request.url, request.headers])
    response.writeHead(201, { 'X-Request-Id': 'r-1', 'Set-Cookie': ['a=1', 'b=2'] }).end('{"id":1}')
  })
  const response = await transport().send({
    ...get(base, '/api/projects/?limit=2'),
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"Ada"}',
  })
  expect(seen).toEqual([
    [
      'POST',
      '/api/projects/?limit=2',
      {
        host: base.host,
        connection: 'keep-alive',
        accept: 'application/json',
        'accept-encoding': 'gzip',
        'content-length': '14',
        'content-type': 'application/json',
        'user-agent': 'analytics/0.0.0-test',
      },
    ],
  ])
  expect(response.status).toBe(201)
  expect(response.headers).toMatchObject({ 'x-request-id': 'r-1', 'set-cookie': 'a=1\nb=2' })
  expect(await text(response)).toBe('{"id":1}')
})

test('connections are used again', async () => {
  const sockets = new Set<Socket>()
  const base = await serve((request, response) => {
    sockets.add(request.socket)
    response.end('{}')
  })
  const { send } = transport()
  for (let i = 0; i < 10; i++) await text(await send(get(base)))
  // Two, because one that has just answered is not free before the next turn of the event loop.
  expect(sockets.size).toBeLessThanOrEqual(2)
})

test('no more connections are opened than allowed', async () => {
  const sockets = new Set<Socket>()
  const base = await serve((request, response) => {
    sockets.add(request.socket)
    setImmediate(() => response.end('{}'))
  })
  const { send } = transport()
  const all = async (connections?: number) => {
    sockets.clear()
    const request = { ...get(base), ...(connections === undefined ? {} : { connections }) }
    await Promise.all(Array.from({ length: 12 }, async () => text(await send(request))))
    return sockets.size
  }
  expect(await all()).toBe(8)
  expect(await all(3)).toBe(3)
  expect(await all(10)).toBe(10)
})

test('a redirect is an answer like any other', async () => {
  const base = await serve((_, response) => response.writeHead(302, { location: 'https://example.com/' }).end())
  expect(await transport().send(get(base))).toMatchObject({
    status: 302,
    headers: { location: 'https://example.com/' },
  })
})

test('a reader that takes its time makes the server wait, and the timeout does not count it', async () => {
  const size = 32 * 1024 * 1024
  let sent = 0
  const base = await serve(async (_, response) => {
    const chunk = Buffer.alloc(64 * 1024, 'x')
    for (; sent < size; sent += chunk.length) if (!response.write(chunk)) await once(response, 'drain')
    response.end()
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { body } = await transport({ timeout: 1000 }).send(get(base))
  const chunks = body[Symbol.asyncIterator]()
  let read = (await chunks.next()).value?.length ?? 0
  await settled(() => sent)
  vi.advanceTimersByTime(3_600_000)
  // What lies between here and there is what sockets hold, far from all of it.
  expect(sent).toBeLessThan(size / 2)
  for (let step = await chunks.next(); !step.done; step = await chunks.next()) read += step.value.length
  expect(read).toBe(size)
})

test('who stops reading closes the connection', async () => {
  let socket: Socket | undefined
  const base = await serve((request, response) => {
    socket = request.socket
    response.write('{"results":[')
  })
  const { body } = await transport().send(get(base))
  for await (const _ of body) break
  if (socket && !socket.closed) await once(socket, 'close')
  expect(socket?.closed).toBe(true)
})

test.each([
  ['nothing at all', () => undefined],
  ['headers without an end', (socket: Socket) => socket.write(ok)],
  ['a body that stops half way', (socket: Socket) => socket.write(`${ok}content-length: 100\r\n\r\n{`)],
  [
    'a byte now and then',
    (socket: Socket) => {
      socket.write(`${ok}content-length: 100000\r\n\r\n`)
      const drip = setInterval(() => socket.write('x'), 20)
      socket.on('close', () => clearInterval(drip))
    },
  ],
])('a server that sends %s is given up after the timeout', async (_, answer) => {
  const base = await serveRaw(answer)
  const asked = transport({ timeout: 200 }).send(get(base)).then(text)
  const error = await asked.catch(error => error)
  expect(error).toBeInstanceOf(UnavailableError)
  expect(error).not.toBeInstanceOf(UnsentError)
  expect(error).toMatchObject({
    message: `${base.host} timed out after 0.2 s`,
    facts: { code: 'ETIMEDOUT', retryable: true, method: 'GET', url: `${base.origin}/api/projects/` },
  })
})

test('a TLS handshake that never ends is a request that was never sent', async () => {
  const base = await serveRaw(() => undefined)
  base.protocol = 'https:'
  const error = await transport({ timeout: 200 })
    .send(get(new URL(`https://${base.host}`)))
    .catch(error => error)
  expect(error).toBeInstanceOf(UnsentError)
  expect(error.facts.code).toMatch(/TIME/)
})

test('a refused connection is a request that was never sent', async () => {
  const base = await closedPort()
  const error = await transport()
    .send(get(base))
    .catch(error => error)
  expect(error).toBeInstanceOf(UnsentError)
  expect(error).toMatchObject({
    message: `${base.host} refused the connection`,
    facts: { code: 'ECONNREFUSED', retryable: true, hint: expect.stringContaining('base URL') },
  })
})

test.each([
  ['before its head', (socket: Socket) => socket.destroy(), /closed the connection/],
  ['by a reset', (socket: Socket) => socket.resetAndDestroy(), /closed the connection/],
  ['before its length', (socket: Socket) => socket.end(`${ok}content-length: 10\r\n\r\n{}`), /was cut off/],
  [
    'within its chunks',
    (socket: Socket) => socket.end(`${ok}transfer-encoding: chunked\r\n\r\n4\r\n{"a"`),
    /was cut off/,
  ],
  [
    'within its last chunks',
    (socket: Socket) => socket.end(`${ok}connection: close\r\ntransfer-encoding: chunked\r\n\r\n4\r\n{"a"`),
    /was cut off/,
  ],
])('an answer that ends %s is a cut one', async (_, answer, message) => {
  const base = await serveRaw(answer)
  const error = await transport()
    .send(get(base))
    .then(text)
    .catch(error => error)
  expect(error).toBeInstanceOf(UnavailableError)
  expect(error).not.toBeInstanceOf(UnsentError)
  expect(error).toMatchObject({ message: expect.stringMatching(message), facts: { retryable: true } })
})

test.each([
  ['is cut off before its body', (socket: Socket) => socket.end()],
  ['stalls before its body', () => undefined],
  ['is cut off within its body', (socket: Socket) => socket.end('{"detail":"No')],
])('a refusal that %s has its status', async (_, end) => {
  const base = await serveRaw(socket => {
    socket.write('HTTP/1.1 401 No\r\ncontent-length: 100\r\n\r\n')
    end(socket)
  })
  const response = await transport({ timeout: 200 }).send(get(base))
  expect(response.status).toBe(401)
  await expect(text(response)).rejects.toBeInstanceOf(UnavailableError)
})

test('a success whose body never comes is a lost answer from the start, so that --debug says so', async () => {
  const base = await serveRaw(socket => socket.end(`${ok}content-length: 10\r\n\r\n`))
  await expect(transport().send(get(base))).rejects.toMatchObject({ message: expect.stringContaining('was cut off') })
})

test('after a write whose answer was lost, the advice is to look first', async () => {
  const base = await serveRaw(socket => socket.destroy())
  const lost = transport().send({ ...get(base), method: 'POST', effect: 'act' })
  await expect(lost).rejects.toMatchObject({ facts: { hint: expect.stringContaining('not known') } })
})

test.each([
  ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n', /does not speak HTTP/],
  ['a status below 100', 'HTTP/1.1 099 X\r\ncontent-length: 2\r\n\r\n{}', /does not speak HTTP/],
  ['another protocol than was asked for', 'HTTP/1.1 101 X\r\ncontent-length: 2\r\n\r\n{}', /does not speak HTTP/],
  ['endless headers', `${ok}x: ${'y'.repeat(64 * 1024)}\r\n\r\n`, /headers .* too large/],
])('%s is not asked again', async (_, answer, message) => {
  const base = await serveRaw(socket => socket.write(answer))
  await expect(transport().send(get(base))).rejects.toMatchObject({
    message: expect.stringMatching(message),
    facts: { retryable: false },
  })
})

test('an answer in an encoding that nobody asked for is not the service', async () => {
  const base = await serve((_, response) => response.writeHead(200, { 'content-encoding': 'br' }).end('bomb'))
  const error = await transport()
    .send(get(base))
    .catch(error => error)
  expect(error).toBeInstanceOf(RejectedError)
  expect(error.message).toContain('"br"')
  expect(error.facts).toMatchObject({ status: 200, code: 'not-the-service' })
})

test.each([
  ['204 No Content', 'content-encoding: gzip'],
  ['202 Accepted', 'content-encoding: gzip\r\ncontent-length: 0'],
  ['202 Accepted', 'content-encoding: br\r\ntransfer-encoding: chunked\r\n\r\n0'],
])('an answer without a body is in no encoding: %s, %s', async (status, headers) => {
  const base = await serveRaw(socket => socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n`))
  expect(await text(await transport().send(get(base)))).toBe('')
})

test.each(['Identity', 'identity ', ''])('an answer in the encoding "%s" is plain', async encoding => {
  const base = await serve((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end('{}'))
  expect(await text(await transport().send(get(base)))).toBe('{}')
})

test('a 204 that announces a body is an answer without one', async () => {
  const base = await serveRaw(socket => socket.write('HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n{"a"}'))
  const { send } = transport()
  for (let i = 0; i < 2; i++) {
    const response = await send(get(base))
    expect([response.status, await text(response)]).toEqual([204, ''])
  }
})

test('a compressed failure still has its status', async () => {
  const base = await serve((_, response) => response.writeHead(502, { 'content-encoding': 'br' }).end('page'))
  const response = await transport().send(get(base))
  expect(response.status).toBe(502)
  expect(await text(response)).toBe('')
})

test('an interruption ends what is under way and what comes after, with its own reason', async () => {
  const interruption = new AbortController()
  const reason = new InterruptedError('SIGINT')
  const base = await serve((_, response) => void response.write('{'))
  const { send } = transport({ signal: interruption.signal })
  const { body } = await send(get(base))
  const chunks = body[Symbol.asyncIterator]()
  await chunks.next()
  const more = chunks.next()
  interruption.abort(reason)
  await expect(more).rejects.toBe(reason)
  await expect(send(get(base))).rejects.toBe(reason)
})

test('an injected dispatcher sends in place of undici, and stays open', async () => {
  let destroyed = false
  const dispatcher: Dispatcher = {
    dispatch({ origin, path }, handler) {
      const controller = { pause() {}, resume() {}, abort() {} }
      handler.onRequestStart(controller, {})
      handler.onResponseStart(controller, 200, {})
      handler.onResponseData(controller, Buffer.from(origin + path))
      handler.onResponseEnd(controller, {})
      return true
    },
    async destroy() {
      destroyed = true
    },
  }
  const { send, close } = transport({ dispatcher })
  expect(await text(await send(get(new URL('https://analytics.example.com'), '/a/?b=c')))).toBe(
    'https://analytics.example.com/a/?b=c',
  )
  await close()
  expect(destroyed).toBe(false)
})

/** Resolves when a number has stopped growing. */
async function settled(grown: () => number): Promise<void> {
  for (let seen = -1, turns = 0; turns < 200; turns++) {
    if (grown() !== seen) turns = 0
    seen = grown()
    await new Promise(resolve => setImmediate(resolve))
  }
}
