import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { needsPosix } from '../posix.ts'
import { type Answer, json, personRow, startServer, type TestServer } from '../server.ts'
import { analytics, bin, type Env, machine, reporting, start } from './program.ts'

needsPosix('a shell and signals')

let folder: string
const servers: TestServer[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'analytics-bulk-'))
})
afterEach(async () => {
  await Promise.all(servers.splice(0).map(server => server.close()))
  rmSync(folder, { recursive: true, force: true })
})

const envFor = (url: string): Env => ({
  ANALYTICS_BASE_URL: url,
  ANALYTICS_API_KEY: 'test-key',
  ANALYTICS_PROJECT: '1',
  ANALYTICS_STATE_DIR: join(folder, 'state'),
})

async function serve(answer: Answer): Promise<{ server: TestServer; env: Env }> {
  const server = await startServer(answer)
  servers.push(server)
  return { server, env: envFor(server.url) }
}

function idsFile(count: number): string {
  const file = join(folder, 'ids')
  writeFileSync(file, Array.from({ length: count }, (_, i) => `${i + 1}\n`).join(''))
  return file
}

const jobs = () => readdirSync(join(folder, 'state/jobs'))
const gone: Answer = ({ method, path }, response) => {
  if (method === 'GET') json(response, personRow(Number(path.split('/')[5])))
  else response.writeHead(204).end()
}

test('500 deletes take no more connections than requests at once', async () => {
  let connections = 0
  let deleted = 0
  const server = createServer((_, response) => {
    deleted++
    response.writeHead(204).end()
  })
  server.on('connection', () => connections++)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const env = envFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const { stdout, code } = await analytics(['persons', 'delete', '--from', idsFile(500), '--yes', '-o', 'ids'], env)
  server.close()
  server.closeAllConnections()
  expect([code, deleted, stdout.split('\n').length - 1]).toEqual([0, 500, 500])
  expect(connections).toBeLessThanOrEqual(8)
})

test('100,000 ids fit in 150 MB', async () => {
  const peak = join(folder, 'peak')
  const { env } = await serve(gone)
  const argv = ['persons', 'delete', '--from', idsFile(100_000), '--dry-run', '-o', 'ndjson']
  const { stdout, code } = await analytics(argv, { ...env, ...reporting(peak) })
  expect([code, stdout.split('\n').length - 1]).toEqual([0, 100_000])
  expect(Number(readFileSync(peak, 'utf8')) / 1024).toBeLessThan(150)
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s keeps what was done, says how to go on, and exits with %i', async (signal, code) => {
  let answered = 0
  let reached: () => void = () => undefined
  const half = new Promise<void>(resolve => {
    reached = resolve
  })
  const { env } = await serve((asked, response) => {
    if (++answered <= 20) return gone(asked, response)
    reached()
    // From here on nobody answers, until the run is resumed.
    if (answered > 28) return gone(asked, response)
  })
  const { child, finished } = start(['persons', 'delete', '--from', idsFile(50), '--yes', '-o', 'ndjson'], env)
  await half
  child.kill(signal)
  const { stdout, stderr, code: exit } = await finished
  const [job = ''] = jobs()
  expect(exit).toBe(code)
  expect(stdout.trimEnd().split('\n')).toHaveLength(20)
  expect(stderr).toContain(`\nResume with: analytics jobs resume ${job}\n`)
  expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error).toMatchObject({ name: 'interrupted', exit: code })
  answered = 100
  const resumed = await analytics(['jobs', 'resume', job, '-o', 'ndjson'], env)
  expect([resumed.code, resumed.stdout.trimEnd().split('\n').length]).toEqual([0, 30])
})

test('however many wait at once, nobody but us speaks on stderr', async () => {
  const { env } = await serve(gone)
  const words = ['persons', 'delete', '--from', idsFile(40), '--yes', '--concurrency', '40', '--rate', '200/s']
  const { stderr } = await analytics(words, env)
  expect(stderr).toMatch(/^Deleting 40 persons .*\nDeleted 40 persons.*\nTheir events are kept\n$/)
})

test('a reader that closes the pipe does not stop it', async () => {
  const { server, env } = await serve(gone)
  const shell = `"$NODE" "$BIN" persons delete --from ids --yes -o ndjson 2>err | head -1 >out; echo "\${PIPESTATUS[0]}"`
  idsFile(1000)
  const { stdout } = await promisify(execFile)('bash', ['-c', shell], {
    cwd: folder,
    env: { ...machine, ...env, HOME: folder, NODE: process.execPath, BIN: bin },
  })
  expect([stdout.trim(), server.asked.length]).toEqual(['0', 1000])
  expect(readFileSync(join(folder, 'err'), 'utf8')).toContain('Deleted 1,000 persons')
})

test('a job is worked on by one process at a time, also after the one before was killed', async () => {
  let silent = true
  let reached: () => void = () => undefined
  let asked = new Promise<void>(resolve => {
    reached = resolve
  })
  const { env } = await serve((one, response) => {
    reached()
    if (!silent) gone(one, response)
  })
  const killed = start(['persons', 'delete', '1', '2', '3', '--yes'], env)
  await asked
  const [job = ''] = jobs()
  const state = async () => JSON.parse((await analytics(['jobs', 'list', '-o', 'json'], env)).stdout)[0].state
  expect(await state()).toBe('running')
  expect((await analytics(['jobs', 'resume', job], env)).code).toBe(10)
  killed.child.kill('SIGKILL')
  await killed.finished
  expect(await state()).toBe('interrupted')

  asked = new Promise<void>(resolve => {
    reached = resolve
  })
  const resuming = start(['jobs', 'resume', job], env)
  await asked
  expect((await analytics(['jobs', 'resume', job], env)).code).toBe(10)
  resuming.child.kill('SIGKILL')
  await resuming.finished
  silent = false
  expect((await analytics(['jobs', 'resume', job], env)).code).toBe(0)
})

test('while the service turns one away, nobody else asks', async () => {
  const paths: string[] = []
  const { env } = await serve((asked, response) => {
    paths.push(asked.path)
    if (paths.length !== 20) return gone(asked, response)
    response.writeHead(429, { 'retry-after': '1' }).end()
  })
  const { code } = await analytics(['persons', 'delete', '--from', idsFile(200), '--yes'], env)
  expect([code, paths.length]).toEqual([0, 201])
  // Before it is asked again, those come through that were on their way, and those that waited with it: 7 each.
  expect(paths.indexOf(paths[19] ?? '', 20) - 20).toBeLessThan(15)
})
