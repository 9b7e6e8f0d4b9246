/**
 * A client that a published generator makes from `dist/openapi.json` drives `sandbox serve` through every endpoint. The
 * generator and its TypeScript are 42 MB, so they are installed from npm into a folder of their own.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openapiFile, operationOf } from '../openapi.ts'
import { endpointNamed, idsOf, namesIn, rows } from '../sandbox/endpoint-rows.ts'

const folder = mkdtempSync(join(tmpdir(), 'analytics-client-'))
const minutes = 60_000
/** The last one for Node 20. */
const generator = '@hey-api/openapi-ts@0.95.0'

interface Answer {
  readonly data?: unknown
  readonly response: Response
}

type Operation = (options: Readonly<Record<string, unknown>>) => Promise<Answer>

interface Client {
  readonly client: { setConfig(config: Readonly<Record<string, unknown>>): void }
  readonly operations: Readonly<Record<string, Operation>>
}

beforeAll(async () => {
  const npm = ['install', '--silent', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder]
  execFileSync('npm', [...npm, generator, 'typescript@5.9'], { stdio: ['ignore', 'ignore', 'inherit'] })
  const own = join(folder, 'client')
  const tool = join(folder, 'node_modules/@hey-api/openapi-ts/bin/run.js')
  execFileSync(process.execPath, [tool, '-i', openapiFile, '-o', own, '-c', '@hey-api/client-fetch'], {
    cwd: folder,
    stdio: 'ignore',
  })
  const contents = "export { client } from './client/client.gen'; export * as operations from './client/sdk.gen'"
  await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    format: 'esm',
    outfile: join(folder, 'client.mjs'),
  })
}, 5 * minutes)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('its types are right', { timeout: 2 * minutes }, () => {
  const strict = { strict: true, noEmit: true, module: 'esnext', moduleResolution: 'bundler', target: 'es2022' }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: strict, include: ['client'] }))
  execFileSync(process.execPath, [join(folder, 'node_modules/typescript/bin/tsc'), '-p', folder], { stdio: 'inherit' })
})

test.each(['documented', 'observed'] as const)('it reaches every endpoint in the %s dialect', async dialect => {
  const { client, operations } = (await import(pathToFileURL(join(folder, 'client.mjs')).href)) as Client
  const program = join(import.meta.dirname, '../../bin/analytics.js')
  const args = ['sandbox', 'serve', '--port', '0', '--dialect', dialect, '-o', 'json']
  const server = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, HOME: folder, ANALYTICS_STATE_DIR: join(folder, dialect) },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    const { base_url, api_key } = JSON.parse(String((await once(server.stdout, 'data'))[0]))
    client.setConfig({ baseUrl: base_url, auth: api_key })
    const call = (name: string, options: Readonly<Record<string, unknown>>) =>
      operations[operationOf(endpointNamed(name))?.operationId ?? '']?.(options)
    const definitions = await call('eventDefinitions.list', { path: { project_id: '@current' } })
    const { results } = definitions?.data as { results: readonly { id: string }[] }
    const { organization } = (await call('projects.get', { path: { id: 1 } }))?.data as { organization: string }
    for (const [name, documented, observed, { query = '', body } = {}] of rows) {
      const answer = await call(name, {
        path: idsOf(name.split('.')[0] ?? '', organization, results[0]?.id ?? ''),
        query: Object.fromEntries(new URLSearchParams(query)),
        ...(body === undefined ? {} : { body: JSON.parse(body) }),
      })
      const expected = dialect === 'documented' ? documented : observed
      // The client makes an empty object of an empty answer.
      expect([name, answer?.response.status, namesIn(answer?.data)]).toEqual([name, ...expected])
    }
  } finally {
    server.kill()
    await once(server, 'exit')
  }
})
