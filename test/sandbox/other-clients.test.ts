/** Requests as other clients write them, byte by byte: each gets an answer, and the server lives on. */
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Dialect } from '../../src/sandbox/call.ts'
import { serve } from '../../src/sandbox/server.ts'
import { raw } from './raw.ts'
import { visit } from './visit.ts'

const persons = '/api/projects/1/persons/'
const json = 'Content-Type: application/json'

interface Answer {
  readonly status: number
  readonly head: string
  readonly body: string
}

async function served(dialect: Dialect = 'observed') {
  const { sandbox } = await visit({ dialect })
  const server = await serve(sandbox, { port: 0, host: '127.0.0.1' })
  onTestFinished(() => server.close())
  const port = Number(new URL(server.baseUrl).port)
  const key = `Authorization: Bearer ${sandbox.key}`
  const send = async (text: string): Promise<Answer[]> => answersIn(await raw(port, text))
  const ask = async (line: string, headers: readonly string[] = [], body = ''): Promise<Answer> => {
    const length = body === '' || headers.some(header => /^transfer-encoding/i.test(header)) ? [] : [lengthOf(body)]
    const head = [`${line} HTTP/1.1`, 'Host: x', key, 'Connection: close', ...length, ...headers]
    const [answer] = await send(`${head.join('\r\n')}\r\n\r\n${body}`)
    if (!answer) throw new Error(`${line} got no answer`)
    return answer
  }
  return { ask, send, key }
}

const lengthOf = (body: string) => `Content-Length: ${Buffer.byteLength(body)}`

function answersIn(text: string): Answer[] {
  return text
    .split(/(?=HTTP\/1\.1 \d\d\d )/)
    .filter(part => part !== '')
    .map(part => {
      const [head = '', ...rest] = part.split('\r\n\r\n')
      return { status: Number(head.slice(9, 12)), head, body: rest.join('\r\n\r\n') }
    })
}

test('HEAD answers as GET does, without the body', async () => {
  const { ask } = await served()
  const got = await ask(`GET ${persons}55/`)
  const head = await ask(`HEAD ${persons}55/`)
  expect([head.status, head.body]).toEqual([200, ''])
  expect(head.head).toContain(`content-length: ${Buffer.byteLength(got.body)}`)
  expect(await ask(`HEAD ${persons}999999/`)).toMatchObject({ status: 404, body: '' })
})

test('OPTIONS says which methods there are, and a method that is not there gets the same list', async () => {
  const { ask } = await served()
  const options = await ask(`OPTIONS ${persons}55/`)
  expect(options).toMatchObject({ status: 204, body: '' })
  expect(options.head).toContain('allow: GET, PATCH, DELETE, HEAD, OPTIONS')
  const put = await ask(`PUT ${persons}55/`, [json], '{}')
  expect([put.status, JSON.parse(put.body).code]).toEqual([405, 'method_not_allowed'])
  expect(put.head).toContain('allow: GET, PATCH, DELETE, HEAD, OPTIONS')
  expect((await ask(`POST ${persons}`, [json], '{}')).head).toContain('allow: GET, HEAD, OPTIONS')
  expect((await ask('OPTIONS /nothing/')).status).toBe(404)
  // A view is no person of that name.
  for (const view of ['trends', 'retention']) {
    expect((await ask(`PATCH ${persons}${view}/`, [json], '{}')).head).toContain('allow: GET, HEAD, OPTIONS')
  }
})

test.each([
  'documented',
  'observed',
] as const)('of equal parameters the last one counts in the %s dialect', async dialect => {
  const { ask } = await served(dialect)
  const { body } = await ask(`GET ${persons}?limit=5&limit=2`)
  expect(JSON.parse(body).results).toHaveLength(2)
  expect(JSON.parse(body).next).toMatch(/\?limit=2&offset=2$/)
})

describe('paths', () => {
  test('an encoded slash divides a path, an encoded letter does not', async () => {
    const { ask } = await served()
    expect((await ask(`GET ${persons}a%2Fb/`)).status).toBe(404)
    expect((await ask(`GET ${persons}55%2factivity/`)).body).toMatch(/^{"results":/)
    expect((await ask(`GET ${persons}55/%61ctivity/`)).body).toMatch(/^{"results":/)
  })

  test.each([
    '/',
    '//',
    '/api',
    '/api//projects/',
    '/api/projects/%/',
    '/api/projects/%00/',
    '/api/projects/%ff/persons/',
    `${persons}%E0%A4%A/`,
    `${persons}../../../etc/passwd`,
    `/${'a/'.repeat(5000)}`,
    '*',
  ])('%s is refused', async path => {
    const { ask } = await served()
    const { status } = await ask(`GET ${path}`)
    expect([400, 404]).toContain(status)
  })
})

describe('bodies', () => {
  const update = `PATCH ${persons}1/`
  const good = '{"properties":{"n":1}}'

  test.each([
    [
      'in chunks',
      [json, 'Transfer-Encoding: chunked'],
      `5\r\n${good.slice(0, 5)}\r\n11\r\n${good.slice(5)}\r\n0\r\n\r\n`,
    ],
    ['with a charset', ['Content-Type: application/json; charset=utf-8'], good],
    ['as form fields', ['Content-Type: application/x-www-form-urlencoded'], 'properties=%7B%22n%22%3A1%7D'],
    ['with a byte order mark', [json], `\ufeff${good}`],
  ])('%s are taken', async (_, headers, body) => {
    const { ask } = await served()
    expect((await ask(update, headers, body)).status).toBe(202)
  })

  test.each([
    ['cut JSON', [json], good.slice(0, -1), 400],
    ['a text', [json], '"text"', 400],
    ['a list', [json], '[]', 400],
    ['a million levels', [json], '['.repeat(1e6), 400],
    ['XML', ['Content-Type: text/xml'], '<a/>', 415],
    ['text of fetch', ['Content-Type: text/plain;charset=UTF-8'], good, 415],
    ['a form with parts', ['Content-Type: multipart/form-data; boundary=x'], '--x--', 415],
    ['chunks that are none', [json, 'Transfer-Encoding: chunked'], 'zz\r\n', 400],
    ['two lengths', [json, 'Content-Length: 5'], good, 400],
  ])('%s: refused', async (_, headers, body, status) => {
    const { ask } = await served()
    expect((await ask(update, headers, body)).status).toBe(status)
    expect((await ask(`GET ${persons}1/`)).status).toBe(200)
  })

  test('a body that nobody reads does no harm', async () => {
    const { ask } = await served()
    expect((await ask(`GET ${persons}1/`, ['Content-Type: text/plain'], 'hello')).status).toBe(200)
    expect((await ask(`DELETE ${persons}1/`, ['Content-Type: text/plain'], 'hello')).status).toBe(202)
  })

  test('who asks first whether to send the body is told to', async () => {
    const { send, key } = await served()
    const head = [`PATCH ${persons}1/ HTTP/1.1`, 'Host: x', key, 'Connection: close', json, lengthOf(good)]
    const answers = await send(`${[...head, 'Expect: 100-continue'].join('\r\n')}\r\n\r\n${good}`)
    expect(answers.map(({ status }) => status)).toEqual([100, 202])
    const [refused] = await send(`${[...head, 'Expect: a miracle'].join('\r\n')}\r\n\r\n`)
    expect(refused?.status).toBe(417)
  })
})

test('requests that do not wait for answers are answered in their order', async () => {
  const { send, key } = await served('documented')
  const get = (path: string, more = '') => `GET ${persons}${path} HTTP/1.1\r\nHost: x\r\n${key}\r\n${more}\r\n`
  const answers = await send(
    get('?limit=50') + get('1/') + get('999999/') + get('?search=ada', 'Connection: close\r\n'),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 200])
  expect(answers.map(({ body }) => /"count":(\d+)|"id":(\d+)|"code":"(\w+)"/.exec(body)?.[0])).toEqual([
    '"count":55',
    '"id":1',
    '"code":"not_found"',
    '"count":1',
  ])
})

test.each([
  ['a client of HTTP/1.0', `GET ${persons} HTTP/1.0\r\n\r\n`, 401],
  ['no host', `GET ${persons} HTTP/1.1\r\n\r\n`, 400],
  ['no HTTP', 'hello\r\n\r\n', 400],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01', 400],
  ['a long head', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ['a host that is none', `GET ${persons} HTTP/1.1\r\nHost: a b<>\r\nConnection: close\r\n\r\n`, 401],
])('%s gets an answer', async (_, text, status) => {
  const { send } = await served()
  expect((await send(text))[0]?.status).toBe(status)
})
