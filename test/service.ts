/** A small service for tests of whole command lines: real HTTP on loopback, every object there, every write accepted. */
import { afterEach } from 'vitest'
import { type Answer, type Asked, json, personRow, startServer, type TestServer } from './server.ts'
import { World } from './world.ts'

export interface Service {
  readonly server: TestServer
  readonly world: World
  /** Names the service and gives a key for it. */
  readonly env: Readonly<Record<string, string>>
}

const left: (() => unknown)[] = []
afterEach(async () => {
  await Promise.all(left.splice(0).map(leave => leave()))
})

/** A world and a service, both gone after the test. */
export async function startService(answer: Answer = accepting): Promise<Service> {
  const server = await startServer(answer)
  const world = new World()
  left.push(
    () => server.close(),
    () => world.remove(),
  )
  const env = { ANALYTICS_BASE_URL: server.url, ANALYTICS_API_KEY: 'key-of-environment', ANALYTICS_PROJECT: '1' }
  return { server, world, env }
}

/** The record that was asked for; a list of three where a list was; what was sent, where something was written. */
export const accepting: Answer = ({ method, path, body }, response) => {
  if (method === 'DELETE') return void response.writeHead(204).end()
  const sent: unknown = body === '' ? {} : JSON.parse(body)
  if (method !== 'GET') return json(response, { ...record(path), ...(sent as object) })
  const isOne = /^\/api\/projects\/[^/]+\/$|\/(persons|plugins|event_definitions)\/[^/]+\/$/.test(path)
  if (isOne) return json(response, record(path))
  json(response, { count: 3, next: null, previous: null, results: [1, 2, 3].map(personRow) })
}

function record(path: string): Record<string, unknown> {
  const id = Number(path.match(/(\d+)\/(?:[a-z_]+\/)?$/)?.[1] ?? 1)
  return { ...personRow(id), name: 'Hedgehog Press', organization: '018f0000-0000-4000-8000-000000000001' }
}

/** The requests that would change something: all but GET, save the three views that take their question as a body. */
export function writesOf(asked: readonly Asked[]): readonly Asked[] {
  return asked.filter(
    ({ method, path }) => method !== 'GET' && !/\/persons\/(funnel|funnel\/correlation|path)\/$/.test(path),
  )
}
