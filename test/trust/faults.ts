/** What a service can do wrong: it lies, stalls, breaks off and rambles. */
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Fault } from './fault-server.ts'

/** The whole text of an answer, its length right, the connection closed behind it. */
export function answer(status: string, body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) {
  const bytes = Buffer.from(body)
  const all = {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    connection: 'close',
    ...headers,
  }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${head.join('')}\r\n`), bytes])
}

/** A fault that is an answer like any other, whatever was asked. */
export function saying(
  status: string,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Fault {
  return socket => socket.end(answer(status, body, headers))
}

export const person = {
  id: 1,
  name: 'Ada Lovelace',
  distinct_ids: ['ada'],
  properties: { email: 'ada@example.com' },
  created_at: '2026-01-01T00:00:00Z',
  uuid: '00000000-0000-4000-8000-000000000001',
}

export const row = JSON.stringify(person)
export const page = (next: string | null, rows = row) => `{"next":${JSON.stringify(next)},"results":[${rows}]}`

const html = { 'content-type': 'text/html; charset=utf-8' }
const web = '<!DOCTYPE html><html><head><title>Sign in</title></head><body>Welcome</body></html>'
const chunked = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n'

/** The beginning of an answer that says of itself how very long it is. */
function endless(body: string, headers: Readonly<Record<string, string>> = {}): string {
  return answer('200 OK', body, { ...headers, 'content-length': String(2 ** 40) }).toString()
}

/** Sends the same bytes for as long as they are taken. */
function endlessly(socket: Socket, head: string, bytes: Uint8Array): void {
  const more = () => {
    while (!socket.destroyed && socket.write(bytes));
  }
  socket.on('drain', more).write(head)
  more()
}

/** Sends a byte at a time, none of them late, and never comes to an end. */
function dripping(socket: Socket, head: string, byte: string): void {
  socket.write(head)
  const timer = setInterval(() => socket.write(byte), 100)
  socket.on('close', () => clearInterval(timer))
}

let pages = 0

const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
const members = (count: number) => Array.from({ length: count }, (_, n) => `"m${n}":1`).join()
// More of them than a function takes arguments.
const veryMany = members(130_000)

export const faults = {
  // Transport
  'closes at once': socket => socket.destroy(),
  'never answers': () => undefined,
  'drips its head': socket => dripping(socket, 'HTTP/1.1 200 OK\r\nx-', 'a'),
  'drips its body': socket => dripping(socket, answer('200 OK', '', { 'content-length': '100000' }).toString(), ' '),
  'stops in the middle': socket => socket.write(answer('200 OK', page(null)).subarray(0, -5)),
  'claims too long a body': socket => socket.end(answer('200 OK', row, { 'content-length': String(row.length + 10) })),
  'claims too short a body': socket => socket.end(answer('200 OK', row, { 'content-length': String(row.length - 10) })),
  'ends without the last chunk': socket => socket.end(`${chunked}${row.length.toString(16)}\r\n${row}\r\n`),
  'sends chunks of nonsense': socket => socket.end(`${chunked}zz\r\n${row}\r\n0\r\n\r\n`),
  'speaks another protocol': socket => socket.end('220 mail.example.com ESMTP\r\n'),
  'sends headers without end': socket =>
    endlessly(socket, 'HTTP/1.1 200 OK\r\n', Buffer.from(`x: ${'a'.repeat(4000)}\r\n`)),
  'sends a header of control characters': socket =>
    socket.end('HTTP/1.1 500 \x1b[31mOops\r\nx-request-id: \x1b]0;x\x07\r\ncontent-length: 0\r\n\r\n'),
  'says continue first': socket =>
    socket.end(Buffer.concat([Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'), answer('200 OK', row)])),
  'gives early hints': socket =>
    socket.end(Buffer.concat([Buffer.from('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'), answer('200 OK', row)])),
  'gives early hints for ever': socket =>
    endlessly(socket, '', Buffer.from('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n')),
  'switches protocols': socket =>
    socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
  'sends gzip unasked': saying('200 OK', gzipSync(row), { 'content-encoding': 'gzip' }),
  'sends a gzip bomb': socket =>
    endlessly(socket, endless('', { 'content-encoding': 'gzip' }), gzipSync(Buffer.alloc(2 ** 20, ' '))),
  'answers twice': socket =>
    socket.end(Buffer.concat([answer('200 OK', row, { connection: 'keep-alive' }), answer('200 OK', '{"id":666}')])),

  // Bodies
  'sends nothing': saying('200 OK', ''),
  'sends null': saying('200 OK', 'null'),
  'sends no id': saying('200 OK', '{"name":"Ada"}'),
  'sends half of JSON': saying('200 OK', '{"id":1,"na'),
  'sends two documents': saying('200 OK', `${row}${row}`),
  'sends NaN': saying('200 OK', '{"id":NaN,"results":[NaN]}'),
  'sends bytes that are no UTF-8': saying(
    '200 OK',
    Buffer.concat([
      Buffer.from('{"next":null,"results":[{"id":1,"name":"'),
      Buffer.from([0xff, 0xfe, 0x80]),
      Buffer.from('"}],"id":1}'),
    ]),
  ),
  'nests deeply': saying('200 OK', `{"next":null,"results":[{"id":1,"api_token":"phc","properties":${deep}}],"id":1}`),
  'sends gigabytes': socket => endlessly(socket, endless('{"id":1,"name":"'), Buffer.alloc(2 ** 20, 'a')),
  'sends one row without end': socket => endlessly(socket, endless('{"results":["'), Buffer.alloc(2 ** 20, 'a')),
  'sends tiny rows without end': socket =>
    endlessly(socket, endless('{"results":['), Buffer.from('1,'.repeat(2 ** 19))),
  'sends members without end': socket =>
    endlessly(socket, endless('{"results":[]'), Buffer.from(',"a":1'.repeat(2 ** 17))),
  'sends very many rows at once': saying('200 OK', `{"next":null,"results":[${'1,'.repeat(400_000)}1]}`),
  'sends very many members': saying('200 OK', `{"id":1,${veryMany}}`),
  'sends a row of many members': saying('200 OK', `{"next":null,"results":[{${members(10_000)}}]}`),
  'sends white space without end': socket => endlessly(socket, endless(''), Buffer.alloc(2 ** 20, ' ')),

  // Lists
  'leads from page to page without end': socket => socket.end(answer('200 OK', page(`?cursor=${++pages}`))),
  'leads along empty pages without end': socket => socket.end(answer('200 OK', page(`?cursor=${++pages}`, ''))),
  'leads back to the first page': saying('200 OK', page('')),
  'leads to no address': saying('200 OK', page('http://[')),
  'leads to a number': saying('200 OK', '{"next":7,"results":[]}'),

  // What stands in the way
  'is a web page': saying('200 OK', web, html),
  'is a web page in disguise': saying('200 OK', web),
  'sends to a log-in page': saying('302 Found', '', { location: '/login/?next=/api/' }),
  'sends to nowhere': saying('302 Found', '', { location: 'http://[' }),
  'wants https': (socket, { headers }) =>
    socket.end(answer('301 Moved Permanently', '', { location: `https://${headers.host}/api/` })),
  'is a proxy that wants a password': saying('407 Proxy Authentication Required', web, html),
  'is a gateway without a server': saying('502 Bad Gateway', '<html><body>502</body></html>', html),
  'is a content network': saying('524 A Timeout Occurred', 'error code: 524', { 'content-type': 'text/plain' }),

  // Refusals, in the words that servers have for them
  'refuses a field': saying(
    '400 Bad Request',
    '{"type":"validation_error","code":"invalid_input","detail":"This field is required.","attr":"timezone"}',
  ),
  'swaps code and detail': saying('400 Bad Request', '{"code":"Something is wrong here","detail":"invalid_input"}'),
  'refuses with a message': saying('400 Bad Request', '{"message":"Not today","detail":"The moon is full"}'),
  'refuses in plain text': saying('400 Bad Request', 'No.\n', { 'content-type': 'text/plain' }),
  'refuses without a word': saying('400 Bad Request', ''),
  'does not know the key': saying(
    '401 Unauthorized',
    '{"type":"authentication_error","code":"authentication_failed","detail":"Invalid key."}',
  ),
  'does not allow it': saying(
    '403 Forbidden',
    '{"type":"authentication_error","code":"permission_denied","detail":"Not for you."}',
  ),
  'wants money': saying('402 Payment Required', '{"detail":"Upgrade."}'),
  'knows nobody': saying('404 Not Found', '{"detail":"Not found."}'),
  fails: saying('500 Internal Server Error', '{"type":"server_error","detail":"A server error occurred."}'),
  'fails with a web page': saying('500 Internal Server Error', web, html),
  'asks to wait for a year': saying('429 Too Many Requests', '{"detail":"Request was throttled."}', {
    'retry-after': '31536000',
  }),
  'asks to wait in words': saying(
    '429 Too Many Requests',
    '{"detail":"Request was throttled. Expected available in 4000 seconds."}',
  ),
  'asks to wait for nonsense': saying('429 Too Many Requests', '', { 'retry-after': '-1e999' }),
  'asks to wait until a date': saying('503 Service Unavailable', '', {
    'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT',
  }),
  'repeats the key': (socket, { headers }) =>
    socket.end(answer('400 Bad Request', JSON.stringify({ detail: `Bad header ${headers.authorization}` }))),
  'answers with control characters': saying(
    '400 Bad Request',
    JSON.stringify({ detail: '\x1b[2J\x1b]0;owned\x07\u202egnp.exe\u0000\u200b' }),
  ),

  // Success that is none
  'accepts and ignores': saying('200 OK', '{"id":1,"timezone":"Asia/Tokyo"}'),
  'accepts without a body': saying('202 Accepted', ''),
  deletes: socket => socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n'),
  'deletes with a body': saying('200 OK', '{"success":true}'),
} satisfies Record<string, Fault>

export type FaultName = keyof typeof faults
