/** A service for tests of command lines, over real HTTP: by default every object exists and every write succeeds. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { answering, modelService } from './model-service.ts'
import { type Answer, type Asked, isList, json, personId, personRow, serve, type TestServer } from './server.ts'
import { newWorld, type Options, type Ran, type World } from './world.ts'

/** A receipt as the program writes it. */
interface WrittenReceipt {
  readonly job: string
  readonly complete: boolean
  readonly counts: Readonly<Record<string, number>>
  readonly outcomes: readonly {
    readonly id: string
    readonly status: string
    readonly error: string | null
    readonly evidence: string | null
  }[]
  readonly [member: string]: unknown
}

interface Service {
  readonly server: TestServer
  readonly world: World
  readonly env: TestServer['env']
  /** Runs a command line against the service. */
  run(line: string, options?: Options): Promise<Ran>
  /** The requests so far that would change something. */
  sent(): readonly Asked[]
  /** The receipt that was written to r.json. */
  receipt(): WrittenReceipt
}

/** A world and a service that end with the test. */
export async function startService(answer: Answer = accepting): Promise<Service> {
  const server = await serve(answer)
  const world = newWorld()
  const { env } = server
  return {
    server,
    world,
    env,
    run: (line, options) => world.run(line.split(' '), { ...options, env: { ...env, ...options?.env } }),
    sent: () => writesOf(server.asked),
    receipt: () => JSON.parse(readFileSync(join(world.folder, 'r.json'), 'utf8')),
  }
}

/** Every object exists, and every write is accepted and forgotten. */
export const accepting: Answer = (asked, response) => answering(modelService())(asked, response)

/** The writes: all methods but GET, except the views and the lookup with a body. */
export function writesOf(asked: readonly Asked[]): readonly Asked[] {
  return asked.filter(
    ({ method, path }) =>
      method !== 'GET' && !/\/persons\/(funnel|funnel\/correlation|path|batch_by_distinct_ids)\/$/.test(path),
  )
}

/** Every person exists, with these properties, and lists ignore their filters. */
export function ignoringFilters(properties: Record<string, unknown>): Answer {
  return (asked, response) => {
    if (asked.method !== 'GET') return accepting(asked, response)
    const row = (id: number) => ({ ...personRow(id), properties })
    if (isList(asked)) return json(response, { next: null, results: [row(1), row(2)] })
    const isPerson = /\/persons\/\d+\/$/.test(asked.path)
    json(response, isPerson ? row(personId(asked.path)) : { id: 1, name: 'P' })
  }
}

/** State, done and failed of the newest job, by `jobs list`. */
export async function jobCounts(run: Service['run']) {
  const [job] = JSON.parse((await run('jobs list -o json')).stdout) as Record<string, unknown>[]
  return [job?.state, job?.done, job?.failed]
}
