/** Runs of many targets by a real process. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { needsPosix } from '../posix.ts'
import { type Answer, json, personRow, serve as serveAnywhere } from '../server.ts'
import { analytics, bash, newEvent, reporting, start } from './program.ts'

needsPosix('a shell and signals')

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'analytics-bulk-'))
})

async function serve(answer: Answer) {
  const server = await serveAnywhere(answer)
  return { server, env: { ...server.env, ANALYTICS_STATE_DIR: join(folder, 'state') } }
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

test('a run has no more connections than concurrent requests', async () => {
  let connections = 0
  let deleted = 0
  const server = createServer((_, response) => {
    deleted++
    response.writeHead(204).end()
  })
  server.on('connection', () => connections++)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const env = { ANALYTICS_BASE_URL: `http://127.0.0.1:${port}`, ANALYTICS_API_KEY: 'key', ANALYTICS_PROJECT: '1' }
  const { stdout, code } = await analytics(['persons', 'delete', '--from', idsFile(100), '--yes', '-o', 'ids'], env)
  server.close()
  server.closeAllConnections()
  expect([code, deleted, stdout.split('\n').length - 1]).toEqual([0, 100, 100])
  expect(connections).toBeLessThanOrEqual(8)
})

test('100,000 ids fit in 150 MB', async () => {
  const peak = join(folder, 'peak')
  const { env } = await serve(gone)
  const argv = ['persons', 'delete', '--from', idsFile(100_000), '--dry-run', '-o', 'ids']
  const { stdout, code } = await analytics(argv, { ...env, ...reporting(peak) })
  expect([code, stdout.split('\n').length - 1]).toEqual([0, 100_000])
  expect(Number(readFileSync(peak, 'utf8')) / 1024).toBeLessThan(150)
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s keeps what was done, prints the resume line and exits with %i', async (signal, code) => {
  let answered = 0
  const half = newEvent()
  const { env } = await serve((asked, response) => {
    if (++answered <= 20) return gone(asked, response)
    half.happen()
    // The next requests get no response until the run is resumed.
    if (answered > 28) return gone(asked, response)
  })
  const receipt = join(folder, 'receipt.json')
  const words = ['persons', 'delete', '--from', idsFile(50), '--yes', '-o', 'ndjson', '--receipt', receipt]
  const { child, finished } = start(words, env)
  await half.happened
  child.kill(signal)
  const { stdout, stderr, code: exit } = await finished
  const [job = ''] = jobs()
  expect(exit).toBe(code)
  expect(stdout.trimEnd().split('\n')).toHaveLength(20)
  expect(stderr).toContain(`\nResume with: analytics jobs resume ${job}\n`)
  expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error).toMatchObject({ name: 'interrupted', exit: code })
  expect(JSON.parse(readFileSync(receipt, 'utf8'))).toMatchObject({ complete: false, counts: { left: 30 } })
  answered = 100
  const resumed = await analytics(['jobs', 'resume', job, '-o', 'ndjson'], env)
  expect([resumed.code, resumed.stdout.trimEnd().split('\n').length]).toEqual([0, 30])
})

test('with many concurrent requests, Node prints no warning on stderr', async () => {
  const { env } = await serve(gone)
  const words = ['persons', 'delete', '--from', idsFile(40), '--yes', '--concurrency', '40', '--rate', '200/s']
  const { stderr } = await analytics(words, env)
  expect(stderr).toMatch(/^Deleting 40 persons .*\nDeleted 40 persons.*\nTheir events are kept\n$/)
})

test('a reader that closes the pipe does not stop it', async () => {
  const { server, env } = await serve(gone)
  const line = `analytics persons delete --from ids --yes -o ndjson 2>err | head -1 >out; echo "\${PIPESTATUS[0]}"`
  idsFile(400)
  const { stdout } = await bash(line, env, folder)
  expect([stdout.trim(), server.asked.length]).toEqual(['0', 400])
  expect(readFileSync(join(folder, 'err'), 'utf8')).toContain('Deleted 400 persons')
})

test('one process at a time works on a job, also after the previous one was killed', async () => {
  let silent = true
  let asked = newEvent()
  const { env } = await serve((one, response) => {
    asked.happen()
    if (!silent) gone(one, response)
  })
  const state = async () => JSON.parse((await analytics(['jobs', 'list', '-o', 'json'], env)).stdout)[0].state
  let argv = ['persons', 'delete', '1', '2', '3', '--yes']
  for (let life = 0; life < 2; life++) {
    const { child, finished } = start(argv, env)
    await asked.happened
    argv = ['jobs', 'resume', ...jobs()]
    const [seen, rival] = await Promise.all([state(), analytics(argv, env)])
    expect([seen, rival.code]).toEqual(['running', 10])
    child.kill('SIGKILL')
    await finished
    asked = newEvent()
  }
  expect(await state()).toBe('interrupted')
  silent = false
  expect((await analytics(argv, env)).code).toBe(0)
})
