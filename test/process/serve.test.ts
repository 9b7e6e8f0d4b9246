/** `sandbox serve` as a process of its own, and the program as its client. */
import { spawnSync } from 'node:child_process'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { needsPosix } from '../posix.ts'
import { analytics, bin, type Env, emptyHome, type Started, start } from './program.ts'

needsPosix('signals')

let served: Started
let env: Env
const HOME = emptyHome()

beforeAll(async () => {
  served = start(['sandbox', 'serve', '--port', '0', '-o', 'json'], { HOME })
  const { base_url, api_key, project } = JSON.parse(await firstOutput(served))
  env = { ANALYTICS_BASE_URL: base_url, ANALYTICS_API_KEY: api_key, ANALYTICS_PROJECT: project }
})

afterAll(async () => {
  served.child.kill('SIGTERM')
  expect((await served.finished).code).toBe(143)
})

/** Until the project is named, which comes last. */
async function firstOutput({ child }: Started): Promise<string> {
  let output = ''
  for await (const chunk of child.stdout ?? []) {
    output += chunk
    if (/project.*\n/i.test(output)) break
  }
  return output
}

const list = (...options: string[]) => analytics(['persons', 'list', ...options], env)

test('it prints base URL, key and project: in one line of JSON, or as lines to paste into a shell', async () => {
  expect(env).toEqual({
    ANALYTICS_BASE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    ANALYTICS_API_KEY: expect.stringMatching(/^phx_sandbox_/),
    ANALYTICS_PROJECT: '1',
  })
  const other = start(['sandbox', 'serve', '--port', '0', '--dialect', 'observed'], { ...env, HOME })
  const lines = await firstOutput(other)
  // The key is printed where it is the one in use, too.
  expect(lines).toMatch(
    /^export ANALYTICS_BASE_URL=\S+\nexport ANALYTICS_API_KEY=phx_\S+\nexport ANALYTICS_PROJECT=1\n$/,
  )
  const script = `${lines} '${process.execPath}' '${bin}' persons list --limit 1 -o ids`
  expect(spawnSync('sh', ['-c', script], { encoding: 'utf8' }).stdout).toMatch(/^[\da-f]{8}-/)
  other.child.kill('SIGINT')
  expect((await other.finished).code).toBe(130)
})

test('with HOME=/dev/null it reads what variables name; what has to be kept says which variable to set', async () => {
  const away = { ...env, HOME: '/dev/null' }
  expect(await analytics(['persons', 'list', '--limit', '1', '-o', 'ids'], away)).toMatchObject({ code: 0, stderr: '' })
  const { code, stderr } = await analytics(['persons', 'delete', '1', '2', '--yes'], away)
  expect([code, stderr]).toEqual([2, expect.stringContaining('Set HOME, or ANALYTICS_STATE_DIR')])
})

test('every row comes, in every format', async () => {
  const lines = (await list('--all', '-o', 'ndjson')).stdout.trimEnd().split('\n')
  const ids = (await list('--all', '-o', 'ids')).stdout.trimEnd().split('\n')
  const array = JSON.parse((await list('--all', '-o', 'json')).stdout)
  const rows: Record<string, string>[] = parse((await list('--all', '-o', 'csv')).stdout, { columns: true })
  expect([lines.length, new Set(ids).size, array.length, rows.length]).toEqual([55, 55, 55, 55])
  const items = lines.map(line => JSON.parse(line))
  expect(rows.map(row => [row.id, row.name, JSON.parse(row.distinct_ids ?? '')])).toEqual(
    items.map(item => [String(item.id), item.name, item.distinct_ids]),
  )
  expect(rows.map(row => JSON.parse(row.properties ?? ''))).toEqual(items.map(item => item.properties))
})

test.each([
  ['a person that is not there', ['persons', 'get', '424242'], {}, 3],
  ['a wrong key', ['persons', 'list'], { ANALYTICS_API_KEY: 'wrong' }, 4],
  ['no key', ['persons', 'list'], { ANALYTICS_API_KEY: '' }, 4],
  ['no project', ['persons', 'list'], { ANALYTICS_PROJECT: '' }, 2],
  ['no server', ['persons', 'list', '--retries', '0'], { ANALYTICS_BASE_URL: 'http://127.0.0.1:1' }, 7],
  ['an unknown option', ['persons', 'list', '--limt', '1'], {}, 2],
  ['a plain http address elsewhere', ['persons', 'list'], { ANALYTICS_BASE_URL: 'http://analytics.example.com' }, 2],
])('%s ends with its exit code, in text and in JSON', async (_, argv, changed, code) => {
  const text = await analytics(argv, { ...env, ...changed })
  expect([text.code, text.stdout]).toEqual([code, ''])
  expect(text.stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(2)
  const { stderr } = await analytics([...argv, '-o', 'json'], { ...env, ...changed })
  expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error.exit).toBe(code)
})

test('what one process changes, the next one sees', async () => {
  const gone = await analytics(['persons', 'delete', '3', '--yes'], env)
  expect([gone.code, (await analytics(['persons', 'get', '3'], env)).code]).toEqual([0, 3])
})

test.each([
  [(): string => new URL(env.ANALYTICS_BASE_URL ?? '').port, /Port \d+ is in use by another program\.\n/],
  [(): string => '99999', /--port: 99999 is more than 65535/],
] as const)('a port that cannot be had is exit 2', async (port, why) => {
  const { code, stderr } = await analytics(['sandbox', 'serve', '--port', port()])
  expect([code, stderr]).toEqual([2, expect.stringMatching(why)])
})
