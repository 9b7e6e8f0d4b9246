/** A service with a few made-up persons, one project, and deletions that are answered when the test says so. */
import type { ServerResponse } from 'node:http'
import { type Asked, json, startServer, type TestServer } from '../server.ts'

export interface Shop extends TestServer {
  readonly env: Readonly<Record<string, string>>
  /** Answers so many more deletions, in the order in which they come. */
  answer(count: number, status?: number): void
  /** Turns the next deletion away for so many seconds. */
  turnAway(seconds: number): void
}

const persons = [
  ['Ada Lovelace', 'ada@example.com'],
  ['山田太郎', 'taro@example.com'],
  ['שָׁלוֹם כהן', 'shalom@example.com'],
  ['مريم', 'maryam@example.com'],
  ['👍🏽 🇩🇪 ❤️ José', 'jose@example.com'],
  ['Mallory \u001b[2J\r\u0007\u202egnp', 'mallory@example.com'],
  ['A name that is longer than any column of a terminal that somebody reads at', 'long@example.com'],
] as const

function person(id: number): Record<string, unknown> {
  const [name, email] = persons[(id - 1) % persons.length] ?? persons[0]
  return {
    id,
    name,
    distinct_ids: [`reader-${id}`, `device-${id}`],
    properties: { email, name, plan: 'pro', note: '吾輩は猫である。'.repeat(8) },
    created_at: '2026-01-01T09:30:00Z',
    uuid: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
  }
}

const project = {
  id: 1,
  name: 'Juniper & Quill',
  organization: '018f0000-0000-4000-8000-000000000001',
  timezone: 'UTC',
  anonymize_ips: false,
  app_urls: ['https://shop.example.com'],
  slack_incoming_webhook: 'https://hooks.example.com/secret',
}

export async function startShop(): Promise<Shop> {
  const waiting: ServerResponse[] = []
  const answers: ((response: ServerResponse) => void)[] = []
  const pair = () => {
    while (waiting.length > 0 && answers.length > 0) answers.shift()?.(waiting.shift() as ServerResponse)
  }
  const server = await startServer(({ method, path }: Asked, response) => {
    if (method === 'DELETE') {
      waiting.push(response)
      return pair()
    }
    const id = /\/persons\/(\d+)\/$/.exec(path)?.[1]
    if (path.includes('/projects/2/'))
      return json(response, { ...project, id: 2, timezone: 'Europe/Berlin', anonymize_ips: true })
    if (id === '404') return json(response, { type: 'invalid_request', code: 'not_found', detail: 'Not found.' }, 404)
    if (id === '400') return json(response, { detail: 'No \u001b[31m日本語\u001b[0m here\r', attr: 'id' }, 400)
    if (id) return json(response, person(Number(id)))
    if (!path.endsWith('/persons/')) return json(response, project)
    json(response, {
      count: 12_431,
      next: 'http://shop.example.com/?offset=7',
      results: persons.map((_, i) => person(i + 1)),
    })
  })
  return {
    ...server,
    env: { ANALYTICS_BASE_URL: server.url, ANALYTICS_API_KEY: 'key', ANALYTICS_PROJECT: '1' },
    answer(count, status = 204) {
      for (let i = 0; i < count; i++) {
        answers.push(response =>
          status === 204 ? void response.writeHead(204).end() : json(response, { detail: 'It is in use' }, status),
        )
      }
      pair()
    },
    turnAway(seconds) {
      answers.push(response => void response.writeHead(429, { 'retry-after': String(seconds) }).end('{}'))
      pair()
    },
  }
}
