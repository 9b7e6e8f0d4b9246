/** Input that never arrives, and input that cannot be read. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { needsPosix } from '../posix.ts'
import { bash, type Env, emptyHome, start } from './program.ts'

needsPosix('pipes with names')

const sandbox = { ANALYTICS_SANDBOX: '1', ANALYTICS_PROJECT: '1' }

const remote = { ANALYTICS_BASE_URL: 'https://127.0.0.1:9', ANALYTICS_PROJECT: '1' }

test.each<[typed: string, env: (pipe: string) => Env]>([
  ['persons delete --yes --from PIPE', () => sandbox],
  ['persons verify --receipt PIPE', () => sandbox],
  ['projects diff -f PIPE', () => sandbox],
  ['sandbox load PIPE', () => sandbox],
  ['persons list', pipe => ({ ...remote, ANALYTICS_API_KEY: 'key', ANALYTICS_CA_FILE: pipe })],
  ['persons list', pipe => ({ ...remote, ANALYTICS_API_KEY_FILE: pipe })],
])('SIGINT ends the wait for a file: %s', async (typed, env) => {
  const pipe = join(mkdtempSync(join(tmpdir(), 'analytics-pipe-')), 'pipe')
  execFileSync('mkfifo', [pipe])
  const { child, finished } = start(typed.replace('PIPE', pipe).split(' '), env(pipe))
  // Opens as soon as the program reads.
  const writer = await open(pipe, 'w')
  onTestFinished(() => writer.close())
  child.kill('SIGINT')
  expect(await finished).toMatchObject({ code: 130 })
})

test.each([
  'persons delete --yes --from -',
  'projects update 1 --body -',
])('SIGINT ends the wait for stdin: %s', async typed => {
  const { child, finished } = start(typed.split(' '), sandbox, new PassThrough())
  // More than the pipe holds, so that the program reads.
  await new Promise(resolve => child.stdin?.write('1\n'.repeat(200_000), resolve))
  child.kill('SIGINT')
  expect(await finished).toMatchObject({ code: 130 })
})

test('a folder on stdin is not an empty list', async () => {
  for (const typed of [
    'persons delete --yes --from -',
    'projects apply --yes -f -',
    'api POST projects/1/persons/path/ --body -',
  ]) {
    const { code, stderr } = await bash(`analytics ${typed} < .`, sandbox, emptyHome())
    expect([typed, code, stderr]).toEqual([typed, 2, expect.stringContaining('stdin cannot be read: it is a folder')])
  }
})
