/** Many projects behind real HTTP, with a count of what is asked and faults where a test wants them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Asked, json, startServer } from '../server.ts'
import { type Options, World } from '../world.ts'

export type Project = Record<string, unknown>

export interface FleetOptions {
  readonly size?: number
  readonly files?: Readonly<Record<string, string>>
  /** Answers in place of the service; undefined lets it answer. */
  readonly fault?: (asked: Asked, id: number, reads: number) => { status: number; body: unknown } | undefined
  /** Runs before a GET is answered. */
  readonly onRead?: (project: Project, reads: number) => void
}

export async function startFleet({ size = 30, files = {}, fault, onRead }: FleetOptions) {
  const projects = new Map<number, Project>()
  for (let id = 1; id <= size; id++) projects.set(id, { id, name: `Shop ${id}`, timezone: 'UTC', is_demo: false })
  const reads = new Map<number, number>()
  const running = { now: 0, mostPatches: 0 }
  const service = await startServer(async (asked, response) => {
    if (asked.method === 'PATCH') running.mostPatches = Math.max(running.mostPatches, ++running.now)
    // Others that were sent at the same time arrive before this one is answered.
    await new Promise(resolve => setImmediate(() => setImmediate(resolve)))
    if (asked.method === 'PATCH') running.now--
    const id = Number(/\/api\/projects\/(\d+)\//.exec(asked.path)?.[1])
    const project = projects.get(id)
    if (asked.method === 'GET') reads.set(id, (reads.get(id) ?? 0) + 1)
    const broken = fault?.(asked, id, reads.get(id) ?? 0)
    if (broken) return json(response, broken.body, broken.status)
    if (!project) return json(response, { type: 'invalid_request', code: 'not_found', detail: 'Not found.' }, 404)
    if (asked.method === 'PATCH') Object.assign(project, JSON.parse(asked.body))
    else onRead?.(project, reads.get(id) ?? 0)
    json(response, project)
  })
  const world = new World()
  onTestFinished(async () => {
    world.remove()
    await service.close()
  })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(world.folder, name), text)
  const env = { ANALYTICS_BASE_URL: service.url, ANALYTICS_API_KEY: 'test-key-0123456789', ANALYTICS_PROJECT: '1' }
  return {
    world,
    projects,
    running,
    async run(line: string, options: Options = {}) {
      const before = service.asked.length
      const ran = await world.run(['projects', ...line.split(' ')], { ...options, env: { ...env, ...options.env } })
      const asked = service.asked.slice(before)
      const count = (method: string) => asked.filter(one => one.method === method).length
      return { ...ran, asked, gets: count('GET'), patches: count('PATCH') }
    },
  }
}

/** A manifest of `size` projects that share `base.yaml`. */
export function manifestOf(size: number): string {
  const list = Array.from({ length: size }, (_, i) => `  - id: ${i + 1}\n`)
  return `defaults: [base.yaml]\nprojects:\n${list.join('')}`
}
