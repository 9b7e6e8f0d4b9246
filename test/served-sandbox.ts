/** A sandbox of made-up persons over HTTP, its requests counted, and a world whose variables name it. */
import { onTestFinished } from 'vitest'
import type { Asked } from '../src/sandbox/call.ts'
import { serve } from '../src/sandbox/server.ts'
import { type Visiting, visit } from './sandbox/visit.ts'
import { newWorld, type Options, type Ran, type World } from './world.ts'

interface Serving extends Visiting {
  /** Loaded in place of the company of the sandbox. */
  readonly rows?: Iterable<object>
  /** What the service understands of an address. */
  readonly understood?: (url: URL) => URL
}

interface ServedSandbox {
  readonly world: World
  readonly asked: readonly Asked[]
  run(argv: readonly string[], options?: Options): Promise<Ran>
}

export async function serveSandbox({
  rows = [],
  understood = url => url,
  ...visiting
}: Serving = {}): Promise<ServedSandbox> {
  const { sandbox } = await visit(visiting)
  await sandbox.load(Array.from(rows, row => JSON.stringify(row)))
  const asked: Asked[] = []
  const answer = (request: Asked) => {
    asked.push(request)
    return sandbox.answer({ ...request, url: understood(request.url) })
  }
  const server = await serve({ port: 0, answer })
  onTestFinished(() => server.close())
  const world = newWorld()
  const env = { ANALYTICS_BASE_URL: server.baseUrl, ANALYTICS_API_KEY: sandbox.key, ANALYTICS_PROJECT: '1' }
  return { world, asked, run: (argv, options) => world.run(argv, { ...options, env: { ...env, ...options?.env } }) }
}
