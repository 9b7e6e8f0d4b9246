import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { analytics, type Env, type Started, start } from './program.ts'

let served: Started
let env: Env

beforeAll(async () => {
  served = start(['sandbox', 'serve', '--port', '0', '-o', 'json'])
  const greeting = await new Promise<string>(resolve =>
    served.child.stdout?.once('data', chunk => resolve(String(chunk))),
  )
  const { base_url, api_key, project } = JSON.parse(greeting)
  env = { ANALYTICS_BASE_URL: base_url, ANALYTICS_API_KEY: api_key, ANALYTICS_PROJECT: project }
})

afterAll(async () => {
  served.child.kill('SIGTERM')
  expect((await served.finished).code).toBe(143)
})

const list = (...options: string[]) => analytics(['persons', 'list', ...options], env)

test('the sandbox greets with base URL, key and project, on one line of JSON', () => {
  expect(env).toEqual({
    ANALYTICS_BASE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    ANALYTICS_API_KEY: expect.any(String),
    ANALYTICS_PROJECT: '1',
  })
})

test('every row comes, in every format: as many lines as the service counts', async () => {
  const { count } = JSON.parse((await analytics(['api', 'GET', '/api/projects/{project}/persons/'], env)).stdout)
  const lines = (await list('--all', '-o', 'ndjson')).stdout.trimEnd().split('\n')
  const ids = (await list('--all', '-o', 'ids')).stdout.trimEnd().split('\n')
  const array = JSON.parse((await list('--all', '-o', 'json')).stdout)
  expect([lines.length, ids.length, array.length]).toEqual([count, count, count])
  expect(new Set(ids).size).toBe(count)
})

test('another CSV reader finds the same rows', async () => {
  const rows: Record<string, string>[] = parse((await list('--all', '-o', 'csv')).stdout, { columns: true })
  const items = (await list('--all', '-o', 'ndjson')).stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(rows.map(row => [row.id, row.name, JSON.parse(row.distinct_ids ?? '')])).toEqual(
    items.map(item => [String(item.id), item.name.toWellFormed(), item.distinct_ids]),
  )
  expect(rows.map(row => JSON.parse(row.properties ?? ''))).toEqual(items.map(item => item.properties))
})

test.each([
  ['a person that is not there', ['persons', 'get', '424242'], {}, 3],
  ['a wrong key', ['persons', 'list'], { ANALYTICS_API_KEY: 'wrong' }, 4],
  ['no key', ['persons', 'list'], { ANALYTICS_API_KEY: '' }, 4],
  ['no project', ['persons', 'list'], { ANALYTICS_PROJECT: '' }, 2],
  [
    'a server that is not there',
    ['persons', 'list', '--retries', '0'],
    { ANALYTICS_BASE_URL: 'http://127.0.0.1:1' },
    7,
  ],
  ['an unknown option', ['persons', 'list', '--limt', '1'], {}, 2],
  ['a plain http address elsewhere', ['persons', 'list'], { ANALYTICS_BASE_URL: 'http://analytics.example.com' }, 2],
])('%s ends with its exit code, in text and in JSON', async (_, argv, changed, code) => {
  const text = await analytics(argv, { ...env, ...changed })
  expect([text.code, text.stdout]).toEqual([code, ''])
  expect(text.stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(2)
  const { stderr } = await analytics([...argv, '-o', 'json'], { ...env, ...changed })
  expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error.exit).toBe(code)
})

test('what one process changes, the next one sees, and the first key stays out of what is traced', async () => {
  const gone = await analytics(['persons', 'delete', '3', '--yes', '--debug'], env)
  expect([gone.code, gone.stdout]).toEqual([0, ''])
  expect(gone.stderr).toMatch(/^DELETE \/api\/projects\/1\/persons\/3\/ 204 \d+ ms attempt 1\nDeleted person 3/)
  expect(gone.stderr).not.toContain(env.ANALYTICS_API_KEY)
  expect((await analytics(['persons', 'get', '3'], env)).code).toBe(3)
})

test('a port that another program listens on is said to be in use', async () => {
  const { code, stderr } = await analytics(['sandbox', 'serve', '--port', new URL(env.ANALYTICS_BASE_URL ?? '').port])
  expect([code, stderr]).toEqual([2, expect.stringMatching(/\nPort \d+ is in use by another program\.\n/)])
})

test.each(['99999', '-1'])('%s is no port', async port => {
  const { code, stderr } = await analytics(['sandbox', 'serve', '--port', port])
  expect([code, stderr]).toEqual([
    2,
    `sandbox: made-up data on this machine\nPort ${port} cannot be used: ports go from 0 to 65535.\nGive another one, or --port 0 for any that is free.\n`,
  ])
})
