import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Options, World } from '../world.ts'

let world: World
let file: string
beforeEach(() => {
  world = new World()
  file = join(world.folder, 'config', 'config.json')
})
afterEach(() => world.remove())

const run = (line: string, options: Options = {}) => world.run(['profiles', ...line.split(' ')], options)
const kept = () => JSON.parse(readFileSync(file, 'utf8'))
const add = (name: string, more = '') =>
  run(`add ${name} --base-url https://${name}.example.com --api-key-stdin${more}`, { stdin: `key-of-${name}\n` })

test('the first profile added is the one in use, until another is', async () => {
  await add('prod', ' --project 42')
  await add('staging')
  expect((await run('list -o csv --fields name,in_use,base_url,project')).stdout).toBe(
    'name,in_use,base_url,project\nprod,true,https://prod.example.com/,42\nstaging,false,https://staging.example.com/,\n',
  )
  expect(await run('use staging')).toMatchObject({ code: 0, stdout: '', stderr: 'Using profile staging\n' })
  expect((await run('list -o ids')).stdout).toBe('prod\nstaging\n')
  expect(kept().current).toBe('staging')
  expect((await run('remove staging')).stderr).toBe('Removed profile staging, which was the one in use\n')
  expect(kept()).toEqual({ profiles: { prod: expect.anything() } })
})

test('a name that exists is refused: set changes it, and add did not', async () => {
  await add('prod')
  const before = readFileSync(file)
  const { code, stderr } = await run('add prod --base-url https://other.example.com --api-key-stdin', {
    stdin: 'other',
  })
  expect([code, stderr]).toEqual([2, 'There is a profile prod already.\nChange it with analytics profiles set prod.\n'])
  expect(readFileSync(file)).toEqual(before)
})

test('the key comes by pipe, whatever its line end; a key that cannot be one is refused', async () => {
  for (const stdin of ['secret', 'secret\n', 'secret\r\n', '  secret  \nmore\n']) {
    await run('add p --base-url https://p.example.com --api-key-stdin', { stdin })
    expect(kept().profiles.p.apiKey).toBe('secret')
    await run('remove p')
  }
  for (const stdin of ['', '\n', 'two words\n', 'schlüssel\n', 'a\u0000b']) {
    expect((await run('add p --base-url https://p.example.com --api-key-stdin', { stdin })).code).toBe(2)
  }
  expect(kept().profiles).toEqual({})
})

test('what a profile cannot be without is asked for at a terminal, and named elsewhere', async () => {
  const answers = ['https://a.example.com/analytics', '42', 'secret']
  const { code, stderr } = await run('add prod', { answers })
  expect([code, kept().profiles.prod]).toEqual([
    0,
    { baseUrl: 'https://a.example.com/analytics/', project: '42', apiKey: 'secret' },
  ])
  expect(stderr).not.toContain('secret')
  expect((await run('add b', { stdin: '' })).stderr).toBe('A profile needs a base URL.\nGive --base-url.\n')
  expect((await run('add b --base-url https://b.example.com', { stdin: '' })).stderr).toContain('A profile needs a key')
  expect((await run('add b --no-input', { answers })).code).toBe(2)
  expect((await run('add b', { answers: ['https://b.example.com'] })).code).toBe(10)
  expect(Object.keys(kept().profiles)).toEqual(['prod'])
})

test('set changes what it is given, and takes away what it is given empty', async () => {
  await add('prod', ' --project 42 --safety read-only --default-output json')
  await run('set prod --project 43 --organization 018f --safety no-delete')
  expect(kept().profiles.prod).toMatchObject({
    project: '43',
    organization: '018f',
    safety: 'no-delete',
    output: 'json',
  })
  await world.run(['profiles', 'set', 'prod', '--project', '', '--organization', '', '--safety', 'none'])
  expect(kept().profiles.prod).toEqual({
    baseUrl: 'https://prod.example.com/',
    apiKey: 'key-of-prod',
    output: 'json',
  })
  expect((await run('set prod')).code).toBe(2)
  expect((await run('set prdo --project 1')).stderr).toBe('There is no profile "prdo".\nDid you mean prod?\n')
})

test('a key is rotated in place, and a command takes the place of a key', async () => {
  await add('prod')
  await run('set prod --api-key-stdin', { stdin: 'rotated\n' })
  expect(kept().profiles.prod.apiKey).toBe('rotated')
  await world.run(['profiles', 'set', 'prod', '--api-key-command', 'pass show analytics'])
  expect(kept().profiles.prod).toEqual({ baseUrl: 'https://prod.example.com/', apiKeyCommand: 'pass show analytics' })
})

test('a key does not move to another host with its profile', async () => {
  await add('prod')
  const before = readFileSync(file)
  expect((await run('set prod --base-url https://evil.example.com')).code).toBe(2)
  expect(readFileSync(file)).toEqual(before)
  expect((await run('set prod --base-url https://prod.example.com/prefix')).code).toBe(0)
  expect((await run('set prod --base-url https://new.example.com --api-key-stdin', { stdin: 'new' })).code).toBe(0)
  expect(kept().profiles.prod).toEqual({ baseUrl: 'https://new.example.com/', apiKey: 'new' })
})

test.each([
  ['a password in it', 'https://ada:secret@a.example.com'],
  ['a query', 'https://a.example.com/?key=secret'],
  ['a fragment', 'https://a.example.com/#secret'],
  ['another scheme', 'ftp://a.example.com'],
  ['no scheme', 'a.example.com'],
  ['plain http to another machine', 'http://a.example.com'],
])('a base URL with %s is refused', async (_, url) => {
  const { code, stderr } = await run(`add p --base-url ${url} --api-key-stdin`, { stdin: 'key' })
  expect([code, existsSync(file)]).toEqual([2, false])
  expect(stderr).not.toContain('secret')
})

test('plain http to another machine is kept where it is allowed, by option, variable or the profile itself', async () => {
  const url = 'http://a.example.com'
  expect((await run(`add a --base-url ${url} --api-key-stdin --allow-http`, { stdin: 'key' })).code).toBe(0)
  expect((await run(`set a --base-url ${url}/prefix`)).code).toBe(0)
  const env = { ANALYTICS_ALLOW_HTTP: '1' }
  expect((await run(`add b --base-url ${url} --api-key-stdin`, { stdin: 'key', env })).code).toBe(0)
})

test.each([
  '',
  '.hidden',
  '-x',
  'a b',
  'a/b',
  '__proto__',
  'ä',
  'x'.repeat(65),
])('%j cannot be the name of a profile', async name => {
  expect((await world.run(['profiles', 'add', '--', name])).code).toBe(2)
})

test('names that every object has are names like any other', async () => {
  await add('constructor')
  expect((await run('list -o ids')).stdout).toBe('constructor\n')
  expect((await run('show toString')).stderr).toContain('There is no profile "toString"')
})

test.each([
  ['a quote that is not closed', 'op read "x', 'not closed'],
  ['nothing', ' ', 'names no program'],
])('a key command with %s is refused', async (_, command, says) => {
  const argv = ['profiles', 'add', 'p', '--base-url', 'https://p.example.com', '--api-key-command', command]
  const { code, stderr } = await world.run(argv)
  expect([code, stderr.includes(says)]).toEqual([2, true])
})

test('the file is 0600 in a folder 0700, whatever they were before, and what nobody knows in it stays', async () => {
  mkdirSync(join(world.folder, 'config'), { mode: 0o755 })
  writeFileSync(file, '{"profiles":{"a":{"later":{"x":1}}},"version":7}', { mode: 0o644 })
  await add('prod')
  expect([statSync(file).mode & 0o777, statSync(join(file, '..')).mode & 0o777]).toEqual([0o600, 0o700])
  expect(kept()).toMatchObject({ version: 7, profiles: { a: { later: { x: 1 } } } })
})

test.each([
  ['not JSON', '{"profiles": {"prod": {"apiKey": "secret"'],
  ['empty', ''],
  ['not an object', '[]'],
  ['of profiles that are none', '{"profiles":{"prod":"secret"}}'],
  ['of a current that is no name', '{"current":1}'],
  ['of a safety level that does not exist', '{"profiles":{"prod":{"safety":"readonly"}}}'],
  ['of a project that is not text', '{"profiles":{"prod":{"project":42}}}'],
])('a file that is %s is reported with its path and left byte for byte', async (_, text) => {
  mkdirSync(join(world.folder, 'config'))
  writeFileSync(file, text)
  for (const line of [
    'list',
    'show',
    'use prod',
    'remove prod',
    'set prod --project 1',
    'add x --base-url https://x.example.com',
  ]) {
    const { code, stderr, stdout } = await run(line, { stdin: 'key' })
    expect([line, code, stdout]).toEqual([line, 2, ''])
    expect(stderr).toContain(file)
    expect(stderr).not.toContain('secret')
  }
  // A profile that cannot be read may hold a safety level: nothing is sent without it.
  const env = { ANALYTICS_BASE_URL: 'http://127.0.0.1:1', ANALYTICS_API_KEY: 'key' }
  expect((await world.run(['projects', 'list'], { env })).code).toBe(2)
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('keys are not written through a link', async () => {
  mkdirSync(join(world.folder, 'config'))
  const target = join(world.folder, 'elsewhere.json')
  writeFileSync(target, '{"profiles":{}}')
  symlinkSync(target, file)
  expect((await add('prod')).stderr).toContain(`${file} is a link`)
  expect(readFileSync(target, 'utf8')).toBe('{"profiles":{}}')
})

test('a folder that cannot be made is a matter of usage', async () => {
  writeFileSync(join(world.folder, 'config'), '')
  expect((await add('prod')).code).toBe(2)
})

test('a dry run keeps nothing, and finds what would be refused', async () => {
  expect((await add('prod', ' --dry-run')).stderr).toBe('Dry run: nothing was changed\n')
  expect(existsSync(file)).toBe(false)
  await add('prod')
  const before = readFileSync(file)
  for (const line of ['set prod --project 1', 'use prod', 'remove prod']) expect((await run(`${line} -n`)).code).toBe(0)
  expect((await run('remove staging -n')).code).toBe(2)
  expect(readFileSync(file)).toEqual(before)
})

test('show says where every value comes from', async () => {
  await add('prod', ' --project 42 --safety no-delete')
  const env = { ANALYTICS_PROJECT: '43', ANALYTICS_API_KEY: 'key-of-environment' }
  const { stdout } = await run('show --organization 018f -o json', { env })
  const rows: { setting: string; value: string; from: string; where: string | null }[] = JSON.parse(stdout)
  const found = Object.fromEntries(rows.map(({ setting, value, from, where }) => [setting, [value, from, where]]))
  expect(found).toMatchObject({
    profile: ['prod', 'default', file],
    base_url: ['https://prod.example.com/', 'profile', file],
    project: ['43', 'environment', 'ANALYTICS_PROJECT'],
    organization: ['018f', 'option', '--organization'],
    api_key: ['***', 'environment', 'ANALYTICS_API_KEY'],
    safety: ['no-delete', 'profile', file],
    timeout: ['30', 'default', null],
  })
  const table = (await run('show', { env })).stdout
  expect(table).toMatch(/^project +43 +environment +ANALYTICS_PROJECT$/m)
})

test('show names the one place that the key is taken from', async () => {
  const commands = ['--base-url', 'https://p.example.com', '--api-key-command', 'pass show analytics']
  await world.run(['profiles', 'add', 'p', ...commands])
  const places = async (env: Readonly<Record<string, string>>) =>
    (await run('show -o csv --no-header --fields setting,value', { env })).stdout
      .split('\n')
      .filter(line => line.startsWith('api_key'))
  expect(await places({})).toEqual(['api_key_command,pass …'])
  expect(await places({ ANALYTICS_API_KEY_FILE: 'key.txt' })).toEqual(['api_key_file,key.txt'])
  expect(await places({ ANALYTICS_API_KEY_FILE: 'key.txt', ANALYTICS_API_KEY: 'k' })).toEqual(['api_key,***'])
  expect((await run('show --reveal')).stdout).toContain('pass show analytics')
})

test('no key stands in what is shown of profiles, in any format', async () => {
  await add('prod')
  await world.run(['profiles', 'add', 'b', '--base-url', 'https://b.example.com', '--api-key-command', 'echo key-of-b'])
  for (const format of ['table', 'json', 'ndjson', 'csv', 'yaml', 'ids']) {
    for (const line of ['list', 'show', 'show b', 'show --debug']) {
      const { code, stdout, stderr } = await run(`${line} -o ${format}`, {
        env: { ANALYTICS_API_KEY: 'key-of-environment' },
      })
      expect(code).toBe(0)
      expect(stdout + stderr).not.toContain('key-of')
    }
  }
})

test('in the sandbox profiles, keys and base URLs are ignored, and that is said', async () => {
  await add('prod')
  const env = { ANALYTICS_SANDBOX: '1', ANALYTICS_API_KEY: 'k', ANALYTICS_BASE_URL: 'https://a.example.com' }
  const { code, stdout, stderr } = await world.run(
    ['persons', 'list', '--profile', 'nowhere', '--base-url', 'http://b.example.com', '--limit', '1', '-o', 'ids'],
    { env: { ...env, ANALYTICS_PROFILE: 'neither', ANALYTICS_API_KEY_FILE: '/nowhere' } },
  )
  expect([code, stdout]).toEqual([0, '55\n'])
  expect(stderr).toContain('sandbox: made-up data')
  for (const name of [
    '--profile',
    '--base-url',
    ...Object.keys(env).slice(1),
    'ANALYTICS_PROFILE',
    'ANALYTICS_API_KEY_FILE',
  ]) {
    expect(stderr).toContain(name)
  }
  const shown = await run('show', { env })
  expect(shown.stdout).not.toMatch(/undefined|base_url|api_key/)
  expect(shown.stderr).toContain('ANALYTICS_BASE_URL')
  // ANALYTICS_SANDBOX=0 is how a script says that it is not wanted.
  expect((await run('show', { env: { ...env, ANALYTICS_SANDBOX: '0' } })).stdout).toContain('https://a.example.com')
})

test('the folder of the profiles is where the variables say', async () => {
  const env = { ANALYTICS_CONFIG_DIR: '', XDG_CONFIG_HOME: join(world.folder, 'xdg') }
  await run('add p --base-url https://p.example.com --api-key-stdin', { stdin: 'key', env })
  expect(existsSync(join(world.folder, 'xdg', 'analytics', 'config.json'))).toBe(true)
  await run('add p --base-url https://p.example.com --api-key-stdin', {
    stdin: 'key',
    env: { ANALYTICS_CONFIG_DIR: '' },
  })
  expect(existsSync(join(world.folder, '.config', 'analytics', 'config.json'))).toBe(true)
})
