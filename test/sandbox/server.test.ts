import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { UsageError } from '../../src/errors.ts'
import { greeting, serve } from '../../src/sandbox/server.ts'
import { raw } from './raw.ts'
import { type Visiting, visit } from './visit.ts'

async function served(visiting: Visiting = {}) {
  const { sandbox } = await visit(visiting)
  const server = await serve(sandbox, { port: 0, host: '127.0.0.1' })
  onTestFinished(() => server.close())
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const ask = (method: string, path: string, body?: string | Buffer, headers = {}) =>
    new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; text: string; port: number | undefined }>(
      (resolve, reject) => {
        const asked = request(
          new URL(path, server.baseUrl),
          { method, agent, headers: { authorization: `Bearer ${sandbox.key}`, ...headers } },
          response => {
            const port = response.socket.localPort
            const chunks: Buffer[] = []
            response.on('data', chunk => chunks.push(chunk))
            response.on('error', reject)
            response.on('end', () => {
              const text = Buffer.concat(chunks).toString()
              resolve({ status: response.statusCode, headers: response.headers, text, port })
            })
          },
        )
        asked.on('error', reject)
        asked.end(body)
      },
    )
  return { sandbox, server, ask }
}

const persons = '/api/projects/1/persons/'

describe('over HTTP', () => {
  test('it is the same service, at an address of its own', async () => {
    const { ask, server, sandbox } = await served()
    expect(greeting(sandbox, server)).toEqual({
      base_url: server.baseUrl.slice(0, -1),
      api_key: sandbox.key,
      project: '1',
    })
    const { status, headers, text } = await ask('GET', `${persons}?limit=1`)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/json')
    expect(JSON.parse(text)).toMatchObject({
      count: 55,
      next: `${server.baseUrl}api/projects/1/persons/?limit=1&offset=1`,
    })
  })

  test('one connection serves many requests, bodies and empty answers included', async () => {
    const { ask } = await served()
    const json = { 'content-type': 'application/json' }
    const answers = [
      await ask('GET', persons),
      await ask('PATCH', `${persons}1/`, '{"properties":{"n":9007199254740993}}', json),
      await ask('DELETE', `${persons}2/`),
      await ask('GET', `${persons}2/`),
      await ask('GET', `${persons}1/`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 204, 404, 200])
    expect(new Set(answers.map(({ port }) => port)).size).toBe(1)
    expect(answers[2]?.text).toBe('')
    expect(answers[4]?.text).toContain('"n":9007199254740993')
  })

  test('links lead to the host that was asked', async () => {
    const { ask } = await served()
    const { text } = await ask('GET', `${persons}?limit=1`, undefined, { host: 'sandbox.localhost:8010' })
    expect(JSON.parse(text).next).toBe('http://sandbox.localhost:8010/api/projects/1/persons/?limit=1&offset=1')
  })

  test('a key is wanted', async () => {
    const { ask } = await served()
    expect((await ask('GET', persons, undefined, { authorization: 'Bearer wrong' })).status).toBe(401)
  })

  test('a body that is too large is refused', async () => {
    const { ask } = await served()
    const { status, text } = await ask('PATCH', `${persons}1/`, Buffer.alloc(21 * 1024 * 1024, ' '))
    expect([status, JSON.parse(text).code]).toEqual([413, 'too_large'])
  })

  test('a body that is not UTF-8 is refused', async () => {
    const { ask } = await served()
    const body = Buffer.from('{"properties":{"name":"Zo\u00eb"}}', 'latin1')
    const { status, text } = await ask('PATCH', `${persons}1/`, body, { 'content-type': 'application/json' })
    expect([status, JSON.parse(text).code]).toEqual([400, 'parse_error'])
  })

  test('what is no path is refused', async () => {
    const { server } = await served()
    for (const target of ['//example.com/api/projects/', 'http://example.com/', '*']) {
      const text = await raw(Number(new URL(server.baseUrl).port), `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`)
      expect(text).toMatch(/^HTTP\/1\.1 400 /)
    }
  })

  test('whoever goes away in the middle harms nobody', async () => {
    const { ask, server } = await served()
    const { port } = new URL(server.baseUrl)
    await raw(Number(port), 'POST /api/projects/ HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"name":', 'leave')
    expect((await ask('GET', persons)).status).toBe(200)
  })

  test('a port that is taken cannot be had', async () => {
    const { server, sandbox } = await served()
    const port = Number(new URL(server.baseUrl).port)
    await expect(serve(sandbox, { port, host: '127.0.0.1' })).rejects.toThrow(UsageError)
    await expect(serve(sandbox, { port: 70_000, host: '127.0.0.1' })).rejects.toThrow(UsageError)
  })

  test('closing ends connections that are kept open', async () => {
    const { ask, server } = await served()
    await ask('GET', persons)
    await server.close()
    await expect(ask('GET', persons)).rejects.toThrow()
  })
})

describe('faults over HTTP', () => {
  test('a drop ends the connection without an answer', async () => {
    const { ask } = await served({ faults: 'drop@100%' })
    await expect(ask('GET', persons)).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  test('a cut ends it in the middle of one', async () => {
    const { server, sandbox } = await served({ faults: 'cut@100%' })
    const head = `GET ${persons} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${sandbox.key}\r\n\r\n`
    const text = await raw(Number(new URL(server.baseUrl).port), head)
    const [, length] = /content-length: (\d+)/i.exec(text) ?? []
    const body = text.slice(text.indexOf('\r\n\r\n') + 4)
    expect(text).toMatch(/^HTTP\/1\.1 200 /)
    expect(body).toMatch(/^{"count":55,/)
    expect(Buffer.byteLength(body)).toBe(Math.floor(Number(length) / 2))
  })
})
