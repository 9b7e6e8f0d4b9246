import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { UsageError } from '../../src/errors.ts'
import { faultsKind } from '../../src/sandbox/faults.ts'
import { serve } from '../../src/sandbox/server.ts'
import { raw } from './raw.ts'
import { visit } from './visit.ts'

async function served(faults?: string) {
  const { sandbox } = await visit()
  const { answer } = sandbox
  const parsed = faults === undefined ? undefined : faultsKind.parse(faults)
  const injected = parsed && 'value' in parsed ? { faults: parsed.value, seed: 7 } : undefined
  const server = await serve({ port: 0, answer, injected })
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
  return { answer, server, ask }
}

const persons = '/api/projects/1/persons/'

describe('over HTTP', () => {
  test('it is the same service, at an address of its own', async () => {
    const { ask, server } = await served()
    const { status, headers, text } = await ask('GET', `${persons}?limit=1`)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/json')
    expect(JSON.parse(text)).toMatchObject({
      count: 55,
      next: `${server.baseUrl}/api/projects/1/persons/?limit=1&offset=1`,
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

  test('what is no path is refused', async () => {
    const { server } = await served()
    for (const [target, status] of [
      ['//example.com/api/projects/', 404],
      ['http://example.com/', 400],
      ['*', 400],
    ]) {
      const head = `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
      expect(await raw(Number(new URL(server.baseUrl).port), head)).toContain(`HTTP/1.1 ${status} `)
    }
  })

  test('whoever goes away in the middle harms nobody', async () => {
    const { ask, server } = await served()
    const { port } = new URL(server.baseUrl)
    await raw(Number(port), 'POST /api/projects/ HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"name":', 'leave')
    expect((await ask('GET', persons)).status).toBe(200)
  })

  test('a port that is taken cannot be had', async () => {
    const { server, answer } = await served()
    const port = Number(new URL(server.baseUrl).port)
    await expect(serve({ port, answer })).rejects.toThrow(UsageError)
    await expect(serve({ port: 70_000, answer })).rejects.toThrow(UsageError)
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
    const { ask } = await served('drop@100%')
    await expect(ask('GET', persons)).rejects.toMatchObject({ code: 'ECONNRESET' })
  })
})
