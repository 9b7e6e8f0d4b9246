/** Permissions of `config.json`, and damaged files. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { posixTest } from '../posix.ts'
import type { Options } from '../world.ts'
import { freshProfiles } from './profiles.ts'

const profiles = freshProfiles()

const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8)
const folder = () => join(profiles.file, '..')

posixTest('the file is 0600 in a folder 0700', async () => {
  await profiles.add('prod')
  expect([modeOf(profiles.file), modeOf(folder())]).toEqual(['600', '700'])
})

posixTest('an existing folder keeps its mode, the file becomes 0600, and a leftover draft is removed', async () => {
  mkdirSync(folder())
  writeFileSync(`${profiles.file}.new`, '{"profiles":')
  chmodSync(folder(), 0o755)
  writeFileSync(profiles.file, '{"profiles":{}}', { mode: 0o644 })
  await profiles.add('prod')
  expect([modeOf(profiles.file), modeOf(folder()), readdirSync(folder())]).toEqual(['600', '755', ['config.json']])
})

posixTest.each([
  ['file', 0o700, 0o666, 'config.json'],
  ['file of its group', 0o700, 0o660, 'config.json'],
  ['folder', 0o777, 0o600, 'config'],
])('reads and writes no key in a %s that others can write', async (_, ofFolder, ofFile, named) => {
  await profiles.add('prod')
  const before = readFileSync(profiles.file, 'utf8')
  chmodSync(profiles.file, ofFile)
  chmodSync(folder(), ofFolder)
  const refused = async (argv: readonly string[], options: Options = {}) => {
    const { code, stderr } = await profiles.world.run(argv, options)
    expect([argv, code]).toEqual([argv, 4])
    expect(stderr).toMatch(new RegExp(`^Other users can write to .*/${named}, so analytics does not use`))
  }
  await refused(['projects', 'list'])
  // Another user who can change the base URL can receive the key.
  await refused(['projects', 'list'], { env: { ANALYTICS_API_KEY: 'key' } })
  await refused(['profiles', 'add', 'two', '--base-url', 'https://b.example.com', '--api-key-stdin'], { stdin: 'key' })
  await refused(['profiles', 'set', 'prod', '--project', '1'])
  expect([readFileSync(profiles.file, 'utf8'), modeOf(folder())]).toEqual([before, ofFolder.toString(8)])
  expect((await profiles.run('list -o ids')).stdout).toBe('prod\n')
})

posixTest('accepts a sticky folder, where others cannot replace files, and keeps its mode', async () => {
  mkdirSync(folder())
  chmodSync(folder(), 0o1777)
  expect((await profiles.add('prod')).code).toBe(0)
  expect((await profiles.add('staging')).code).toBe(0)
  expect([modeOf(profiles.file), modeOf(folder())]).toEqual(['600', '1777'])
})

test.each([
  ['not JSON', '{"profiles": {"prod": {"apiKey": "secret"'],
  ['empty', ''],
  ['not an object', '[]'],
  ['of a list of profiles', '{"profiles":[]}'],
  ['of profiles that are none', '{"profiles":{"prod":"secret"}}'],
  ['of a current that is no name', '{"current":1}'],
  ['of a limit that is no number', '{"profiles":{"prod":{"maxDeletes":"5"}}}'],
  ['of a limit below nothing', '{"profiles":{"prod":{"maxDeletes":-1}}}'],
  ['of a project that is not text', '{"profiles":{"prod":{"project":42}}}'],
])('reports a damaged file (%s) with its path, and leaves it unchanged', async (_, text) => {
  mkdirSync(join(profiles.world.folder, 'config'))
  writeFileSync(profiles.file, text)
  for (const line of [
    'list',
    'show',
    'use prod',
    'remove prod',
    'set prod --project 1',
    'add x --base-url https://x.example.com',
  ]) {
    const { code, stderr, stdout } = await profiles.run(line, { stdin: 'key' })
    expect([line, code, stdout]).toEqual([line, 2, ''])
    expect(stderr).toContain(profiles.file)
    expect(stderr).not.toContain('secret')
  }
  // A damaged profile may hold a safety level, so nothing is sent without it.
  const env = { ANALYTICS_BASE_URL: 'http://127.0.0.1:1', ANALYTICS_API_KEY: 'key' }
  expect((await profiles.world.run(['projects', 'list'], { env })).code).toBe(2)
  expect(readFileSync(profiles.file, 'utf8')).toBe(text)
})

test('reads and changes a file with a byte order mark, as Windows editors write it', async () => {
  mkdirSync(folder(), { mode: 0o700 })
  const text = JSON.stringify({ current: 'a', profiles: { a: { baseUrl: 'https://a.example.com/', apiKey: 'key' } } })
  writeFileSync(profiles.file, `\ufeff${text}`, { mode: 0o600 })
  expect((await profiles.run('list -o ids')).stdout).toBe('a\n')
  expect((await profiles.run('set a --project 7')).code).toBe(0)
  expect(profiles.kept()).toMatchObject({ profiles: { a: { project: '7', apiKey: 'key' } } })
})

posixTest('replaces a symbolic link instead of writing through it', async () => {
  mkdirSync(join(profiles.world.folder, 'config'))
  const target = join(profiles.world.folder, 'elsewhere.json')
  writeFileSync(target, '{"profiles":{}}')
  symlinkSync(target, profiles.file)
  expect((await profiles.add('prod')).code).toBe(0)
  expect([readFileSync(target, 'utf8'), modeOf(profiles.file)]).toEqual(['{"profiles":{}}', '600'])
})

test('a folder that cannot be created exits with 2', async () => {
  writeFileSync(join(profiles.world.folder, 'config'), '')
  expect((await profiles.add('prod')).code).toBe(2)
})

test('a dry run saves nothing and reports the same errors', async () => {
  expect((await profiles.add('prod', ' --dry-run')).stderr).toBe('Dry run: nothing was changed\n')
  expect(existsSync(profiles.file)).toBe(false)
  await profiles.add('prod')
  const before = readFileSync(profiles.file)
  for (const line of ['set prod --project 1', 'use prod', 'remove prod'])
    expect((await profiles.run(`${line} -n`)).code).toBe(0)
  expect((await profiles.run('remove staging -n')).code).toBe(2)
  expect(readFileSync(profiles.file)).toEqual(before)
})

posixTest('variables choose the folder of the profiles', async () => {
  const env = { ANALYTICS_CONFIG_DIR: '', XDG_CONFIG_HOME: join(profiles.world.folder, 'xdg') }
  await profiles.run('add p --base-url https://p.example.com --api-key-stdin', { stdin: 'key', env })
  expect(existsSync(join(profiles.world.folder, 'xdg', 'analytics', 'config.json'))).toBe(true)
  await profiles.run('add p --base-url https://p.example.com --api-key-stdin', {
    stdin: 'key',
    env: { ANALYTICS_CONFIG_DIR: '' },
  })
  expect(existsSync(join(profiles.world.folder, '.config', 'analytics', 'config.json'))).toBe(true)
})
