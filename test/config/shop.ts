/** A service with projects, and the setting up of a profile for it at a terminal. */
import { afterEach } from 'vitest'
import { type Answer, json, startServer, type TestServer } from '../server.ts'
import type { Options, Ran } from '../world.ts'
import type { Profiles } from './profiles.ts'

const servers: TestServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map(server => server.close()))
})

/** A service that is gone after the test. */
export async function serve(answer: Answer): Promise<TestServer> {
  const server = await startServer(answer)
  servers.push(server)
  return server
}

export const shop: Readonly<Record<string, string>> = {
  1: 'Juniper & Quill Books',
  7: 'Hedgehog Press',
  42: 'Fernway Tea',
}

/** Lists the projects, and gives each of them. */
export function having(projects: Readonly<Record<string, unknown>>, around: object = {}): Answer {
  return ({ path }, response) => {
    const id = /\/projects\/(.+)\/$/.exec(path)?.[1]
    if (id === undefined) {
      const results = Object.entries(projects).map(([id, name]) => ({ id: Number(id), name }))
      return json(response, { count: results.length, next: null, previous: null, results, ...around })
    }
    if (Object.hasOwn(projects, id)) return json(response, { id: Number(id), name: projects[id] })
    json(response, { detail: 'Not found.' }, 404)
  }
}

/** Adds `prod`, with address, key and then what else is answered. */
export function adding(profiles: Profiles) {
  return (
    server: { readonly url: string },
    answers: readonly string[],
    options: Options = {},
    words = 'add prod',
  ): Promise<Ran> => profiles.run(words, { ...options, answers: [server.url, 'made-up-key', ...answers] })
}

export const pathsOf = ({ asked }: TestServer) =>
  asked.map(({ method, path, query }) => `${method} ${path}${query.size ? `?${query}` : ''}`)
