/** Signals and streams of a real process: how it ends, and that nothing is lost on the way. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { needsPosix } from '../posix.ts'
import { type Answer, json, personsList, startServer, type TestServer } from '../server.ts'
import { bin, type Env, emptyHome, machine, start } from './program.ts'

needsPosix('signals')

const servers: TestServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map(server => server.close()))
})

async function serve(answer: Answer): Promise<Env> {
  const server = await startServer(answer)
  servers.push(server)
  return { ANALYTICS_BASE_URL: server.url, ANALYTICS_API_KEY: 'key', ANALYTICS_PROJECT: '1' }
}

const all = ['persons', 'list', '--all', '-o', 'ndjson']

/** Answers the first page, and leaves everyone waiting for the second. */
function endless(): { answer: Answer; waiting: Promise<void> } {
  let reached: () => void = () => undefined
  const waiting = new Promise<void>(resolve => {
    reached = resolve
  })
  const first = personsList(3000)
  return {
    waiting,
    answer: (asked, response: ServerResponse) => (asked.query.has('offset') ? reached() : first(asked, response)),
  }
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s during a list ends it with %i and one line that says so', async (signal, code) => {
  const { answer, waiting } = endless()
  const { child, finished } = start(all, await serve(answer))
  await waiting
  child.kill(signal)
  const ended = await finished
  expect(ended.code).toBe(code)
  expect(JSON.parse(ended.stderr).error).toMatchObject({ name: 'interrupted', exit: code })
  for (const line of ended.stdout.trimEnd().split('\n')) expect(() => JSON.parse(line)).not.toThrow()
})

test('an interrupted table says so in a sentence', async () => {
  const { answer, waiting } = endless()
  const { child, finished } = start(['persons', 'list', '--all'], await serve(answer))
  await waiting
  child.kill('SIGTERM')
  expect(await finished).toMatchObject({ code: 143, stderr: 'Interrupted.\n' })
})

test('a wait that the service asked for ends with the signal as well', async () => {
  let asked: () => void = () => undefined
  const requested = new Promise<void>(resolve => {
    asked = resolve
  })
  const env = await serve((_, response) => {
    response.writeHead(429, { 'retry-after': '200' }).end('{}')
    asked()
  })
  const { child, finished } = start(all, env)
  await requested
  child.stderr?.once('data', () => child.kill('SIGINT'))
  const { code, stderr } = await finished
  expect(code).toBe(130)
  expect(stderr).toMatch(/^The server asks to wait 4 min/)
})

/** Leaves every DELETE without an answer; resolves when so many have come. */
async function unanswered(count: number): Promise<{ env: Env; reached: Promise<void> }> {
  let reach: () => void = () => undefined
  const reached = new Promise<void>(resolve => {
    reach = resolve
  })
  let asked = 0
  const env = await serve((_, response) => {
    asked++
    if (asked === count) reach()
    response.on('error', () => undefined)
  })
  return { env, reached }
}

test('an interrupted run says how to go on, and its receipt what is left', async () => {
  const { env, reached } = await unanswered(3)
  const receipt = join(emptyHome(), 'receipt.json')
  const ids = Array.from({ length: 10 }, (_, i) => String(i + 1))
  const words = ['persons', 'delete', ...ids, '--yes', '--concurrency', '3', '--receipt', receipt]
  const { child, finished } = start(words, env)
  await reached
  child.kill('SIGINT')
  const { code, stderr } = await finished
  expect([code, stderr]).toEqual([
    130,
    expect.stringMatching(/Resume with: analytics jobs resume \S+\nInterrupted\.\n$/),
  ])
  expect(JSON.parse(readFileSync(receipt, 'utf8'))).toMatchObject({ complete: false, counts: { left: 10 } })
})

test('a request that is interrupted says that it may have been done', async () => {
  const { env, reached } = await unanswered(1)
  const { child, finished } = start(['api', 'DELETE', '/api/projects/1/persons/77/', '--yes'], env)
  await reached
  child.kill('SIGINT')
  expect(await finished).toMatchObject({
    code: 130,
    stderr: 'Interrupted.\nIt may be deleted: check before you repeat the command.\n',
  })
})

/** A run that writes more than fits into any pipe, to a reader that looks at the beginning and then reads no more. */
async function stuck(): Promise<{ child: ChildProcess; code: Promise<number | null> }> {
  const env = await serve((_, response) => json(response, { id: 1, note: 'x'.repeat(8_000_000) }))
  const child = spawn(process.execPath, [bin, 'persons', 'get', '1', '-o', 'json'], {
    env: { ...machine, HOME: emptyHome(), ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await new Promise(resolve => child.stdout.once('readable', resolve))
  return { child, code: new Promise(resolve => child.once('exit', resolve)) }
}

test('a reader that has stopped reading does not keep a run that is interrupted', async () => {
  const { child, code } = await stuck()
  child.kill('SIGINT')
  expect(await code).toBe(130)
})

test('a second signal ends it at once', async () => {
  const { child, code } = await stuck()
  child.kill('SIGINT')
  child.kill('SIGTERM')
  // Two that wait at the same time may be given in either order; the one given second ends it.
  expect([130, 143]).toContain(await code)
})

/** Runs the words behind it with a stdout that does not block, and reads that in small bites. */
const nonBlocking = `
import fcntl, os, subprocess, sys
read, write = os.pipe()
fcntl.fcntl(write, fcntl.F_SETFL, fcntl.fcntl(write, fcntl.F_GETFL) | os.O_NONBLOCK)
child = subprocess.Popen(sys.argv[1:], stdout=write)
os.close(write)
while chunk := os.read(read, 3000):
    sys.stdout.buffer.write(chunk)
sys.exit(child.wait())`

const hasPython = spawnSync('python3', ['--version']).status === 0

test.runIf(hasPython)('a pipe that does not block loses nothing, however slowly it is read', async () => {
  const env = await serve(personsList(4000))
  const { stdout } = await promisify(execFile)('python3', ['-c', nonBlocking, process.execPath, bin, ...all], {
    env: { ...machine, HOME: emptyHome(), ...env },
    maxBuffer: 1 << 30,
  })
  const ids = stdout.trimEnd().split('\n')
  expect(ids.map(line => JSON.parse(line).id)).toEqual(Array.from({ length: 4000 }, (_, i) => i + 1))
})

test.each([
  ['stdout is closed', '>&-', 0],
  ['stderr is closed', '2>&-', 0],
  ['both are closed', '>&- 2>&-', 0],
  ['stdin is closed', '<&-', 0],
  ['stderr has no reader', '2> >(exec true)', 0],
])('where %s it does its work all the same', async (_, redirection, code) => {
  const env = await serve(personsList(3))
  expect(await shell(`"$NODE" "$BIN" persons list --debug ${redirection}`, env)).toBe(code)
})

test.runIf(process.platform === 'linux')('a full disk is said to be one, and is no success', async () => {
  const env = await serve(personsList(3))
  const folder = mkdtempSync(join(tmpdir(), 'analytics-full-'))
  expect(await shell(`"$NODE" "$BIN" persons list >/dev/full 2>${folder}/err`, env)).toBe(7)
  expect(readFileSync(join(folder, 'err'), 'utf8')).toBe(
    'The output cannot be written: the disk is full.\nMake room on the disk.\n',
  )
})

/** Runs a line of bash; resolves to its exit code. */
async function shell(line: string, env: Env): Promise<number> {
  const options = { env: { ...machine, ...env, HOME: emptyHome(), NODE: process.execPath, BIN: bin } }
  const { stdout } = await promisify(execFile)(
    'bash',
    ['-c', `exec 3>&1; ( ${line} ); echo "code $?" >&3`],
    options,
  ).catch((error: { stdout: string }) => error)
  return Number(/code (\d+)/.exec(stdout)?.[1])
}
