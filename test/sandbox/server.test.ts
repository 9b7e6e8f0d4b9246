/** The sandbox over HTTP, for clients of every kind, and the faults that it injects. */
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { UsageError } from '../../src/errors.ts'
import { faultsKind, withFaults } from '../../src/sandbox/faults.ts'
import { serve } from '../../src/sandbox/server.ts'
import { visit } from './visit.ts'

const persons = '/api/projects/1/persons/'

async function served(faults?: string, seed = 7) {
  const { sandbox } = await visit()
  const parsed = faultsKind.parse(faults ?? 'slow=0s')
  if ('problem' in parsed) throw new Error(parsed.problem)
  const { respond, key } = sandbox
  const server = await serve(0, withFaults(respond, parsed.value, seed))
  onTestFinished(() => server.close())
  const authorization = `Bearer ${key}`
  const request = async (method: string, path: string) => {
    const response = await fetch(server.baseUrl + path, { method, headers: { authorization } }).catch(() => undefined)
    return { status: response?.status ?? 'no response', after: response?.headers.get('retry-after') ?? null }
  }
  const port = Number(new URL(server.baseUrl).port)
  return { request, server, respond, port, authorization }
}

/** Returns the response to these bytes. `disconnects`: the client closes the connection once they are sent. */
function raw(port: number, text: string, disconnects = false): Promise<string> {
  return new Promise(resolve => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(text, () => {
        if (disconnects) socket.destroy()
      })
    })
    socket.on('data', chunk => chunks.push(chunk))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()))
  })
}

test.each([
  ['an unknown method', `PUT ${persons}55/`, '', '{}', 405],
  ['a wrong key', `GET ${persons}`, 'Authorization: Bearer wrong', '', 401],
  ['no key', `GET ${persons}`, 'X: y', '', 401],
  ['a target that names another host', 'GET //example.com/api/projects/', '', '', 404],
  ['a target with a host', 'GET http://example.com/', '', '', 404],
  ['a target that is not a path', 'OPTIONS *', '', '', 404],
  ['a path that cannot be decoded', 'GET /api/projects/1/persons/%E0%A4%A/', '', '', 404],
  ['a path that climbs', 'GET /api/projects/1/persons/../../2/', '', '', 200],
  ['a body that is not JSON', `PATCH ${persons}1/`, '', '{"properties":', 400],
  ['a body that is nested too deeply', `PATCH ${persons}1/`, '', '['.repeat(100_000), 400],
  ['text that is not HTTP', 'nonsense', '', '', 400],
] as const)('%s gets its response, and the server keeps running', async (_, line, header, body, status) => {
  const { request, port, authorization } = await served()
  const head = [
    `${line} HTTP/1.1`,
    'Host: x',
    'Connection: close',
    ...(/^(Authorization|X):/.test(header) ? [] : [`Authorization: ${authorization}`]),
    ...(header === '' ? [] : [header]),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  expect(await raw(port, `${head.join('\r\n')}\r\n\r\n${body}`)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(await request('GET', `${persons}1/`)).toMatchObject({ status: 200 })
})

test('links use the requested host', async () => {
  const { port, authorization } = await served()
  const head = `GET ${persons}?limit=1 HTTP/1.1\r\nHost: sandbox.localhost:8010\r\nConnection: close\r\n`
  const text = await raw(port, `${head}Authorization: ${authorization}\r\n\r\n`)
  expect(text).toContain('"next":"http://sandbox.localhost:8010/api/projects/1/persons/?limit=1&offset=1"')
})

test('a client that disconnects during a request does not stop the server', async () => {
  const { request, port } = await served()
  await raw(port, 'POST /api/projects/ HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"name":', true)
  expect(await request('GET', persons)).toMatchObject({ status: 200 })
})

test('a port that is in use is refused', async () => {
  const { respond, port } = await served()
  await expect(serve(port, respond)).rejects.toThrow(UsageError)
})

test('the same seed gives the same faults, in their shares; another seed gives others', async () => {
  const draw = async (seed: number) => {
    const { request } = await served('429@20%,500@20%,drop@20%', seed)
    const responses = []
    for (let i = 0; i < 100; i++) responses.push((await request('GET', `${persons}${i}/`)).status)
    return responses
  }
  const first = await draw(7)
  expect(await draw(7)).toEqual(first)
  expect(await draw(8)).not.toEqual(first)
  for (const status of [429, 500, 'no response']) {
    expect(first.filter(one => one === status).length).toBeGreaterThan(8)
  }
})

test('a repeated request can succeed', async () => {
  const { request } = await served('500@50%')
  const responses = await Promise.all(Array.from({ length: 30 }, () => request('GET', persons)))
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 500]))
})

test('some dropped deletions are carried out', async () => {
  const { request, respond, authorization } = await served('drop@100%')
  for (let id = 1; id <= 30; id++)
    expect(await request('DELETE', `${persons}${id}/`)).toMatchObject({ status: 'no response' })
  const url = new URL(`http://localhost${persons}`)
  const { count } = JSON.parse((await respond({ method: 'GET', url, headers: { authorization } })).body)
  expect(count).toBeGreaterThan(25)
  expect(count).toBeLessThan(50)
})

test('a request above the rate gets 429 and the time to wait', async () => {
  const { request } = await served('rate=3/h')
  const responses = []
  for (let i = 0; i < 5; i++) responses.push(await request('GET', persons))
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429])
  expect(Number(responses[4]?.after)).toBeGreaterThan(3500)
})

test.each([
  ['429@5%,500@5%,drop@1%,slow=300ms,rate=240/m', undefined],
  ['429@60%,500@60%', 'the shares come to more than 100%'],
  ['429@101%', '"429@101%" is not a fault'],
  ['cut@5%', '"cut@5%" is not a fault'],
  ['short-pages', '"short-pages" is not a fault'],
  ['rate=0/m', '"rate=0/m" is not a fault'],
  ['slow=soon', '"slow=soon" is not a fault'],
  ['', '"" is not a fault'],
])('--faults %j is accepted, or refused with a reason', (text, problem) => {
  const parsed = faultsKind.parse(text)
  expect('problem' in parsed ? parsed.problem : undefined).toBe(problem)
})
