/** Input that never comes, and input that cannot be read. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { needsPosix } from '../posix.ts'
import { bin, type Env, emptyHome, machine } from './program.ts'

needsPosix('pipes with names')

function start(argv: readonly string[], env: Env = { ANALYTICS_SANDBOX: '1' }) {
  const child = spawn(process.execPath, [bin, '--project', '1', ...argv], {
    env: { ...machine, HOME: emptyHome(), ...env },
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, ended: new Promise(resolve => child.once('close', resolve)) }
}

test.each([
  ['persons delete --yes --from'],
  ['persons update --yes --rows'],
  ['persons verify --receipt'],
  ['projects diff -f'],
  ['sandbox load'],
])('%s FILE', async typed => {
  const path = newPipe()
  await interrupt(path, start([...typed.split(' '), path]))
})

test.each(['ANALYTICS_CA_FILE', 'ANALYTICS_API_KEY_FILE'])('%s', async name => {
  const path = newPipe()
  const key = name === 'ANALYTICS_CA_FILE' ? { ANALYTICS_API_KEY: 'the-key' } : {}
  const env = { ANALYTICS_BASE_URL: 'https://127.0.0.1:9', ...key, [name]: path }
  await interrupt(path, start(['persons', 'list'], env))
})

test.each([
  ['persons delete --yes --from -'],
  ['persons update --yes --rows -'],
  ['projects apply --yes -f -'],
  ['api POST projects/1/persons/path/ --body -'],
])('a folder on stdin is not an empty list: %s', async typed => {
  const folder = await open(emptyHome())
  onTestFinished(() => folder.close())
  const env = { ...machine, HOME: emptyHome(), ANALYTICS_SANDBOX: '1' }
  const { status, stderr } = spawnSync(process.execPath, [bin, '--project', '1', ...typed.split(' ')], {
    env,
    encoding: 'utf8',
    stdio: [folder.fd, 'pipe', 'pipe'],
  })
  expect([status, stderr]).toEqual([2, expect.stringContaining('stdin cannot be read: it is a folder')])
})

function newPipe(): string {
  const path = join(mkdtempSync(join(tmpdir(), 'analytics-pipe-')), 'pipe')
  execFileSync('mkfifo', [path])
  return path
}

async function interrupt(path: string, { child, ended }: ReturnType<typeof start>): Promise<void> {
  // Waits until the program reads.
  const writer = await open(path, 'w')
  onTestFinished(() => writer.close())
  child.kill('SIGINT')
  expect(await ended).toBe(130)
}

test.each(['persons delete --yes --from -', 'projects update 1 --body -', 'projects diff -f -'])('%s', async typed => {
  const { child, ended } = start(typed.split(' '))
  // More than the pipe holds, so that the program has begun to read.
  await new Promise(resolve => child.stdin.write('1\n'.repeat(200_000), resolve))
  child.kill('SIGINT')
  expect(await ended).toBe(130)
})
