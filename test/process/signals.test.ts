/** Signals and streams of a real process. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { needsPosix } from '../posix.ts'
import { json, personsList, serve } from '../server.ts'
import { bash, bin, emptyHome, machine, newEvent, start } from './program.ts'

needsPosix('signals')

const all = ['persons', 'list', '--all', '-o', 'ndjson']

test.each([
  ['SIGINT', 130, all],
  ['SIGTERM', 143, ['persons', 'list', '--all']],
] as const)('%s during a list ends it with %i and one line that says so', async (signal, code, argv) => {
  const waiting = newEvent()
  const { env } = await serve((asked, response) => {
    if (asked.query.has('offset')) return waiting.happen()
    return personsList(3000)(asked, response)
  })
  const { child, finished } = start(argv, env)
  await waiting.happened
  child.kill(signal)
  const { stdout, stderr, code: exit } = await finished
  expect(exit).toBe(code)
  if (signal === 'SIGTERM') return expect(stderr).toBe('Interrupted.\n')
  expect(JSON.parse(stderr).error).toMatchObject({ name: 'interrupted', exit: code })
  for (const line of stdout.trimEnd().split('\n')) expect(() => JSON.parse(line)).not.toThrow()
})

test('an interrupted write may be done, and the message says so', async () => {
  const reached = newEvent()
  const { env } = await serve(reached.happen)
  const { child, finished } = start(['api', 'DELETE', '/api/projects/1/persons/77/', '--yes'], env)
  await reached.happened
  child.kill('SIGINT')
  expect(await finished).toMatchObject({
    code: 130,
    stderr: 'Interrupted.\nIt may be deleted: check before you repeat the command.\n',
  })
})

/** A run that writes more than fits into a pipe, to a reader that reads only the beginning. */
async function stuck(): Promise<{ child: ChildProcess; code: Promise<number | null> }> {
  const { env } = await serve((_, response) => json(response, { id: 1, note: 'x'.repeat(1_000_000) }))
  const child = spawn(process.execPath, [bin, 'persons', 'get', '1', '-o', 'json'], {
    env: { ...machine, HOME: emptyHome(), ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await new Promise(resolve => child.stdout.once('readable', resolve))
  return { child, code: new Promise(resolve => child.once('exit', resolve)) }
}

test('a reader that stopped reading does not block an interrupted run', async () => {
  const { child, code } = await stuck()
  child.kill('SIGINT')
  expect(await code).toBe(130)
})

test('a second signal ends it at once', async () => {
  const { child, code } = await stuck()
  child.kill('SIGINT')
  child.kill('SIGTERM')
  // The system may deliver two pending signals in either order; the second one ends the process.
  expect([130, 143]).toContain(await code)
})

/** Runs the words behind it with a stdout that does not block, and reads that in small pieces. */
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
  const { env } = await serve(personsList(1000))
  const { stdout } = await promisify(execFile)('python3', ['-c', nonBlocking, process.execPath, bin, ...all], {
    env: { ...machine, HOME: emptyHome(), ...env },
    maxBuffer: 1 << 30,
  })
  const ids = stdout.trimEnd().split('\n')
  expect(ids.map(line => JSON.parse(line).id)).toEqual(Array.from({ length: 1000 }, (_, i) => i + 1))
})

test.each([
  ['stdout is closed', '>&-'],
  ['stderr is closed', '2>&-'],
  ['both are closed', '>&- 2>&-'],
  ['stdin is closed', '<&-'],
  ['stderr has no reader', '2> >(exec true)'],
])('a command works where %s', async (_, redirection) => {
  const { env } = await serve(personsList(3))
  const { stdout } = await bash(`exec 3>&1; ( analytics persons list --debug ${redirection} ); echo "code $?" >&3`, env)
  expect(stdout).toMatch(/code 0\n$/)
})
