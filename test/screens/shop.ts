/** A service with a few made-up persons and one project, which responds when the test lets it. */
import type { ServerResponse } from 'node:http'
import { type Answer, json, serve, type TestServer } from '../server.ts'

export interface Shop extends TestServer {
  /** Responds to so many more deletions, in the order in which they arrive. */
  answer(count: number, status?: number): void
  /** Responds to the next deletion with 429 and so many seconds. */
  turnAway(seconds: number): void
  /** Delays responses to reads until they are released. */
  hold(): void
  release(): void
}

const names = ['Ada Lovelace', '山田太郎', 'שָׁלוֹם כהן', '👍🏽 🇩🇪 ❤️ José', 'Mallory \u001b[2J\r\u0007\u202egnp']

function person(id: number): object {
  const name = names[(id - 1) % names.length]
  const properties = { email: `reader-${id}@example.com`, name, plan: 'pro', note: '吾輩は猫である。'.repeat(8) }
  const uuid = `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`
  return {
    id,
    name,
    distinct_ids: [`reader-${id}`, `device-${id}`],
    properties,
    created_at: '2026-01-01T09:30:00Z',
    uuid,
  }
}

const project = {
  id: 1,
  name: 'Juniper & Quill',
  organization: '018f0000-0000-4000-8000-000000000001',
  timezone: 'UTC',
}

const read: Answer = ({ path }, response) => {
  const id = /\/persons\/(\d+)\/$/.exec(path)?.[1]
  if (id === '404') return json(response, { type: 'invalid_request', code: 'not_found', detail: 'Not found.' }, 404)
  if (id) return json(response, person(Number(id)))
  if (!path.endsWith('/persons/')) return json(response, project)
  json(response, { count: 12_431, next: '?offset=5', results: names.map((_, i) => person(i + 1)) })
}

export async function startShop(): Promise<Shop> {
  const waiting: ServerResponse[] = []
  const answers: ((response: ServerResponse) => void)[] = []
  let held: (() => void)[] | undefined
  const pair = () => {
    while (waiting.length > 0 && answers.length > 0) answers.shift()?.(waiting.shift() as ServerResponse)
  }
  const server = await serve((asked, response) => {
    if (asked.method === 'DELETE') {
      waiting.push(response)
      pair()
    } else if (held) held.push(() => read(asked, response))
    else read(asked, response)
  })
  return {
    ...server,
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
    hold() {
      held = []
    },
    release() {
      const all = held ?? []
      held = undefined
      for (const answer of all) answer()
    },
  }
}
