/** A key is sent only to the server that it belongs to. */
import { chownSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { posixTest } from '../posix.ts'
import { json, serve, type TestServer } from '../server.ts'
import { accepting } from '../service.ts'
import { newWorld, type Options, type World } from '../world.ts'

let world: World
let own: TestServer
let other: TestServer
beforeEach(async () => {
  world = newWorld()
  own = await serve(accepting)
  other = await serve((_, response) => json(response, { results: [], next: null }))
  await profile('prod', own.url)
})

const profile = (name: string, url: string, ...more: readonly string[]) =>
  world.run(['profiles', 'add', name, '--base-url', url, '--api-key-stdin', ...more], { stdin: `key-of-${name}` })
const list = (more: readonly string[] = [], options: Options = {}) => world.run(['projects', 'list', ...more], options)
const keys = ({ asked }: TestServer) => asked.map(({ headers }) => headers.authorization)

test.runIf(process.geteuid?.() === 0)(
  'root does not run a key command from the configuration of another user',
  async () => {
    const command = ['--api-key-command', 'echo key-of-command']
    await world.run(['profiles', 'add', 'command', '--base-url', own.url, ...command])
    expect((await list(['--profile', 'command'])).code).toBe(0)
    const before = own.asked.length
    chownSync(join(world.folder, 'config/config.json'), 65_534, 65_534)
    const refused = await list(['--profile', 'command'])
    expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('belongs to another user')])
    expect(own.asked.length).toBe(before)
    // A key without invalid characters is accepted.
    expect((await list(['--profile', 'prod'])).code).toBe(0)
  },
)

test("a profile's key is sent to every spelling of the profile's base URL", async () => {
  for (const more of [[], ['--base-url', own.url], ['--base-url', own.url.slice(0, -1)], ['--profile', 'prod']]) {
    expect((await list(more)).code).toBe(0)
  }
  expect(new Set(keys(own))).toEqual(new Set(['Bearer key-of-prod']))
})

test('does not send the key to another base URL (exits with 4)', async () => {
  const cases: [readonly string[], Options][] = [
    [['--base-url', other.url], {}],
    [[], { env: { ANALYTICS_BASE_URL: other.url } }],
    [['--base-url', own.url], { env: { ANALYTICS_BASE_URL: other.url, ANALYTICS_PROFILE: 'staging' } }],
    [['--base-url', `${own.url}prefix`], {}],
    [['--base-url', own.url.replace('127.0.0.1', 'localhost')], {}],
  ]
  await profile('staging', other.url)
  for (const [more, options] of cases) {
    const { code, stderr } = await list(more, options)
    expect([code, stderr]).toEqual([4, expect.stringContaining('is not sent to')])
  }
  expect([own.asked, other.asked]).toEqual([[], []])
})

test("a key of the environment goes to the environment's, the option's or the profile's base URL", async () => {
  const env = { ANALYTICS_API_KEY: 'key-of-environment' }
  expect((await list([], { env })).code).toBe(0)
  expect((await list(['--base-url', other.url], { env })).code).toBe(0)
  expect((await list([], { env: { ...env, ANALYTICS_BASE_URL: other.url } })).code).toBe(0)
  const all = [...keys(own), ...keys(other)]
  expect(all).toEqual(Array(3).fill('Bearer key-of-environment'))
})

test('without a key, profile or base URL it exits with 4 and says what to do', async () => {
  const empty = newWorld()
  const run = (env: Readonly<Record<string, string>>) => empty.run(['projects', 'list'], { env })
  expect(await run({})).toMatchObject({ code: 4, stderr: expect.stringContaining('profiles add NAME') })
  expect(await run({ ANALYTICS_BASE_URL: own.url })).toMatchObject({ code: 4 })
  expect(await run({ ANALYTICS_API_KEY: 'key' })).toMatchObject({ code: 4 })
})

test('a path prefix stays before every path', async () => {
  await profile('prefixed', `${own.url}analytics`)
  await list(['--profile', 'prefixed'])
  expect(own.asked.map(({ path }) => path)).toEqual(['/analytics/api/projects/'])
})

test('http:// to another machine exits with 2 unless it is allowed', async () => {
  const env = { ANALYTICS_API_KEY: 'key', ANALYTICS_BASE_URL: 'http://analytics.invalid' }
  expect((await list([], { env })).code).toBe(2)
  const allowed = await list(['--retries', '0', '--timeout', '1'], { env: { ...env, ANALYTICS_ALLOW_HTTP: '1' } })
  expect(allowed.code).toBe(7)
  const local = own.url.replace('127.0.0.1', 'localhost')
  expect((await list([], { env: { ...env, ANALYTICS_BASE_URL: local } })).code).toBe(0)
})

test('a profile allows plain http to its own server, not to another that the environment has a key for', async () => {
  await profile('inner', 'http://analytics.invalid', '--allow-http')
  const quickly = ['--retries', '0', '--timeout', '1']
  const env = { ANALYTICS_API_KEY: 'key', ANALYTICS_PROFILE: 'inner' }
  expect((await list([...quickly, '--profile', 'inner'])).code).toBe(7)
  expect((await list(quickly, { env })).code).toBe(7)
  const other = [...quickly, '--base-url', 'http://elsewhere.invalid']
  expect((await list(other, { env })).code).toBe(2)
  expect((await list(other, { env: { ...env, ANALYTICS_ALLOW_HTTP: '1' } })).code).toBe(7)
  expect((await list([...other, '--profile', 'inner'], { env })).code).toBe(4)
})

test('drops the line end of a key file', async () => {
  const file = join(world.folder, 'key.txt')
  writeFileSync(file, 'key-of-file\n')
  const env = { ANALYTICS_API_KEY_FILE: 'key.txt' }
  expect((await list(['-q'], { env })).stderr).toBe('')
  expect(keys(own)).toEqual(['Bearer key-of-file'])
  for (const text of ['two words\n', '"key-of-file"\n', '']) {
    writeFileSync(file, text)
    const { code, stderr } = await list(['-q'], { env })
    expect([code, stderr.includes('has no key.\nPut only the key in the file')]).toEqual([2, true])
  }
  expect((await list([], { env: { ANALYTICS_API_KEY_FILE: 'nowhere.txt' } })).code).toBe(2)
  expect(own.asked).toHaveLength(1)
})

test('refuses a key that is not valid in a header, without showing it', async () => {
  for (const key of ['two words', 'line\nfeed', 'schlüssel', '"quoted"', "'quoted'"]) {
    const { code, stderr } = await list([], { env: { ANALYTICS_API_KEY: key } })
    expect([code, stderr.includes(key)]).toEqual([4, false])
  }
  expect(own.asked).toEqual([])
})

posixTest(
  'a key that lives an hour is asked for again after a 401, once for all requests under way; the same one stops the run',
  async () => {
    const counter = join(world.folder, 'counter')
    const hourly = join(world.folder, 'hourly.sh')
    writeFileSync(hourly, `echo again >> ${counter}\necho key-of-hour-$(wc -l < ${counter} | tr -d ' ')\n`)
    let refused = 'Bearer key-of-hour-1'
    const service = await serve((asked, response) => {
      const isOver = asked.method === 'DELETE' && asked.path.endsWith('/5/')
      if (isOver) refused = 'Bearer key-of-hour-2'
      if (asked.headers.authorization === refused) return json(response, { detail: 'Expired.' }, 401)
      return accepting(asked, response)
    })
    const add = ['profiles', 'add', 'hourly', '--base-url', service.url, '--project', '1', '--api-key-command']
    expect((await world.run([...add, `sh ${hourly}`])).code).toBe(0)
    const line = 'persons delete 1 2 3 4 5 6 --yes --profile hourly --concurrency 3 -o ndjson'
    const { code, stdout } = await world.run(line.split(' '))
    expect([code, stdout.match(/"deleted"/g)?.length]).toEqual([0, 6])
    expect(readFileSync(counter, 'utf8')).toBe('again\nagain\nagain\n')
    writeFileSync(hourly, 'echo key-of-hour-2\n')
    const same = await world.run('persons delete 7 8 --yes --profile hourly'.split(' '))
    expect(same.code).toBe(4)
  },
)
