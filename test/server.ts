/** A server for tests, over real HTTP on loopback, that records its requests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface TestServer {
  readonly url: string
  /** Names the server and gives a key for it. */
  readonly env: Readonly<Record<string, string>>
  readonly asked: readonly Asked[]
  close(): Promise<void>
}

export type Answer = (asked: Asked, response: ServerResponse) => void | Promise<void>

/** A server that ends with the test. */
export async function serve(answer: Answer): Promise<TestServer> {
  const server = await startServer(answer)
  onTestFinished(() => server.close())
  return server
}

export async function startServer(answer: Answer): Promise<TestServer> {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const url = new URL(request.url ?? '/', 'http://localhost')
    const one = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    }
    asked.push(one)
    await answer(one, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return {
    url,
    env: { ANALYTICS_BASE_URL: url, ANALYTICS_API_KEY: 'key-of-environment', ANALYTICS_PROJECT: '1' },
    asked,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** A 404 in the service's own words. */
export function notFound(response: ServerResponse): void {
  json(response, { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null }, 404)
}

/** Whether the request is for a list, which proves that the project exists. */
export function isList({ method, path }: Asked): boolean {
  return method === 'GET' && /\/(persons|plugins|event_definitions)\/$/.test(path)
}

/** The number of the person in a path, or NaN. */
export function personId(path: string): number {
  return Number(/\/persons\/(\d+)\//.exec(path)?.[1])
}

export function emptyPage(response: ServerResponse): void {
  json(response, { count: 0, next: null, previous: null, results: [] })
}

/** A person of about 1 KB. */
export function personRow(id: number): Record<string, unknown> {
  return {
    id,
    name: `Person ${id}`,
    distinct_ids: [`person-${id}`],
    properties: { email: `person-${id}@example.com`, note: 'x'.repeat(780) },
    created_at: '2026-01-01T00:00:00Z',
    uuid: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
  }
}

/** A list of `total` persons, in pages by `limit` and `offset`, with absolute `next` links. */
export function personsList(total: number): Answer {
  return ({ query, path }, response) => {
    const limit = Number(query.get('limit') ?? 100)
    const offset = Number(query.get('offset') ?? 0)
    const end = Math.min(total, offset + limit)
    const results = Array.from({ length: Math.max(0, end - offset) }, (_, i) => personRow(offset + i + 1))
    const next = end < total ? `http://internal.example:8000${path}?limit=${limit}&offset=${end}` : null
    json(response, { count: total, next, previous: null, results })
  }
}
