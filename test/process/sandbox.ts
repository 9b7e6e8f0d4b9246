/** The sandbox as another process serves it, behind a server that writes down each deletion and says when it was done. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../server.ts'
import { type Env, start } from './program.ts'

export interface ServedSandbox {
  /** Names the server, a key for it and its project. */
  readonly env: Env
  /** Ids in the order in which the sandbox deleted them. */
  readonly deleted: readonly string[]
  /** Ids in the order in which their deletion was asked for. */
  readonly sent: readonly string[]
  /** Calls back after each deletion, before it is answered. */
  onDelete: () => void
  close(): Promise<void>
}

export async function serveSandbox(...options: readonly string[]): Promise<ServedSandbox> {
  const folder = mkdtempSync(join(tmpdir(), 'analytics-served-'))
  const served = start(['sandbox', 'serve', '--port', '0', '-o', 'json', ...options], { ANALYTICS_STATE_DIR: folder })
  const greeting = await new Promise<string>(resolve =>
    served.child.stdout?.once('data', chunk => resolve(String(chunk))),
  )
  const { base_url, api_key, project } = JSON.parse(greeting) as Record<string, string>
  const deleted: string[] = []
  const sent: string[] = []
  const server = await startServer(async ({ method, path, query, headers, body }, response) => {
    const id = path.split('/').at(-2) ?? ''
    if (method === 'DELETE') sent.push(id)
    const search = query.size > 0 ? `?${query}` : ''
    const answer = await fetch(`${base_url}${path}${search}`, {
      method,
      headers: { authorization: headers.authorization ?? '', 'content-type': 'application/json' },
      ...(body === '' ? {} : { body }),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (method === 'DELETE' && answer.ok) {
      deleted.push(id)
      sandbox.onDelete()
    }
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(bytes)
  })
  const sandbox: ServedSandbox = {
    env: { ANALYTICS_BASE_URL: server.url, ANALYTICS_API_KEY: api_key ?? '', ANALYTICS_PROJECT: project ?? '' },
    deleted,
    sent,
    onDelete: () => undefined,
    async close() {
      await server.close()
      served.child.kill('SIGTERM')
      await served.finished
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return sandbox
}
