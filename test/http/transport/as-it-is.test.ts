/** HTTP as servers and proxies speak it, on raw sockets. */
import { expect, test } from 'vitest'
import { UnavailableError } from '../../../src/errors.ts'
import { get, serveRaw, text, transport } from '../loopback.ts'

const row = '{"id":1,"name":"Ada"}'
const whole = `HTTP/1.1 200 OK\r\ncontent-length: ${row.length}\r\n\r\n${row}`
const goOn = 'HTTP/1.1 100 Continue\r\n\r\n'
const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'

/** What comes before the answer, in the pieces in which it is written. */
test.each<[string, readonly string[]]>([
  ['one, with the answer behind it', [goOn + whole]],
  ['one, and the answer later', [goOn, whole]],
  ['one with headers', ['HTTP/1.1 100 Continue\r\nvia: 1.1 gateway\r\n\r\n', whole]],
  ['one without a reason, in HTTP/1.0', ['HTTP/1.0 100\r\n\r\n', whole]],
  ['many, and early hints between them', [goOn.repeat(50) + hints + goOn, goOn + hints, whole]],
  ['one, byte by byte', [...(goOn + whole)]],
  ['early hints alone', [hints, whole]],
  ['none, and the answer byte by byte', [...whole]],
])('a 100 Continue that nobody asked for is skipped: %s', async (_, pieces) => {
  const base = await serveRaw(async socket => {
    for (const piece of pieces) await new Promise(resolve => socket.write(piece, resolve))
  })
  expect(await text(await transport().send(get(base)))).toBe(row)
})

test('a 100 Continue is skipped before each answer of a connection', async () => {
  const base = await serveRaw(socket => {
    socket.write(goOn + whole)
    socket.on('data', () => socket.write(goOn + whole))
  })
  const { send } = transport()
  for (let i = 0; i < 3; i++) expect(await text(await send({ ...get(base), connections: 1 }))).toBe(row)
})

test('a body that reads like a 100 Continue stays as it is', async () => {
  const base = await serveRaw(async socket => {
    const head = `HTTP/1.1 200 OK\r\ncontent-length: ${2 * goOn.length}\r\n\r\n`
    for (const piece of [head, goOn, goOn]) await new Promise(resolve => socket.write(piece, resolve))
  })
  expect(await text(await transport().send(get(base)))).toBe(goOn + goOn)
})

const json = 'content-type: application/json'

test.each<[string, string]>([
  ['half an object', `HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{"results":[{"id":1},{"id":2}`],
  ['half a list, in HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\n [{"id":1}'],
  ['half a text within it', 'HTTP/1.1 200 OK\r\n\r\n\ufeff{"name":"}'],
  ['no byte of its JSON', `HTTP/1.1 200 OK\r\nconnection: close\r\n${json}\r\n\r\n`],
  [
    'chunks without the last one',
    `HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n4\r\n"abc\r\n`,
  ],
  ['part of a chunk', `HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n9\r\n"abc`],
  ['less than its length', 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 9\r\n\r\n{"a":1'],
])('an answer that ends with its connection after %s was cut off', async (_, answer) => {
  const base = await serveRaw(socket => socket.end(answer))
  const failure = await transport()
    .send(get(base))
    .then(text)
    .catch(error => error)
  expect(failure).toBeInstanceOf(UnavailableError)
  expect(failure).toMatchObject({ message: expect.stringContaining('cut off'), facts: { retryable: true } })
})

test.each<[string, string]>([
  ['an object', row],
  ['an object and white space', `${row}\r\n`],
  ['text', 'plain {'],
  ['text that begins like JSON', '{plain'],
  ['a page', '<html>'],
  ['nothing', ''],
])('an answer that ends with its connection after %s is whole', async (_, body) => {
  const base = await serveRaw(socket => socket.end(`HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${body}`))
  expect(await text(await transport().send(get(base)))).toBe(body)
})

test('a write that is answered with nothing until the connection ends was answered', async () => {
  const base = await serveRaw(socket => socket.end(`HTTP/1.1 202 Accepted\r\nconnection: close\r\n${json}\r\n\r\n`))
  const response = await transport().send({ ...get(base), method: 'DELETE', effect: 'set' })
  expect([response.status, await text(response)]).toEqual([202, ''])
})
