/** The file of the profiles: who may read it, and what becomes of one that is not as it should be. */
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshProfiles } from './profiles.ts'

const profiles = freshProfiles()

test('the file is 0600 in a folder 0700, whatever they were before, and what nobody knows in it stays', async () => {
  mkdirSync(join(profiles.world.folder, 'config'), { mode: 0o755 })
  writeFileSync(profiles.file, '{"profiles":{"a":{"later":{"x":1}}},"version":7}', { mode: 0o644 })
  await profiles.add('prod')
  expect([statSync(profiles.file).mode & 0o777, statSync(join(profiles.file, '..')).mode & 0o777]).toEqual([
    0o600, 0o700,
  ])
  expect(profiles.kept()).toMatchObject({ version: 7, profiles: { a: { later: { x: 1 } } } })
})

test.each([
  ['not JSON', '{"profiles": {"prod": {"apiKey": "secret"'],
  ['empty', ''],
  ['not an object', '[]'],
  ['of profiles that are none', '{"profiles":{"prod":"secret"}}'],
  ['of a current that is no name', '{"current":1}'],
  ['of a safety level that does not exist', '{"profiles":{"prod":{"safety":"readonly"}}}'],
  ['of a limit that is no number', '{"profiles":{"prod":{"maxDeletes":"5"}}}'],
  ['of a limit below nothing', '{"profiles":{"prod":{"maxDeletes":-1}}}'],
  ['of a demand that does not exist', '{"profiles":{"prod":{"require":["reason","tea"]}}}'],
  ['of a project that is not text', '{"profiles":{"prod":{"project":42}}}'],
])('a file that is %s is reported with its path and left byte for byte', async (_, text) => {
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
  // A profile that cannot be read may hold a safety level: nothing is sent without it.
  const env = { ANALYTICS_BASE_URL: 'http://127.0.0.1:1', ANALYTICS_API_KEY: 'key' }
  expect((await profiles.world.run(['projects', 'list'], { env })).code).toBe(2)
  expect(readFileSync(profiles.file, 'utf8')).toBe(text)
})

test('keys are not written through a link', async () => {
  mkdirSync(join(profiles.world.folder, 'config'))
  const target = join(profiles.world.folder, 'elsewhere.json')
  writeFileSync(target, '{"profiles":{}}')
  symlinkSync(target, profiles.file)
  expect((await profiles.add('prod')).stderr).toContain(`${profiles.file} is a link`)
  expect(readFileSync(target, 'utf8')).toBe('{"profiles":{}}')
})

test('a folder that cannot be made is a matter of usage', async () => {
  writeFileSync(join(profiles.world.folder, 'config'), '')
  expect((await profiles.add('prod')).code).toBe(2)
})

test('a dry run keeps nothing, and finds what would be refused', async () => {
  expect((await profiles.add('prod', ' --dry-run')).stderr).toBe('Dry run: nothing was changed\n')
  expect(existsSync(profiles.file)).toBe(false)
  await profiles.add('prod')
  const before = readFileSync(profiles.file)
  for (const line of ['set prod --project 1', 'use prod', 'remove prod'])
    expect((await profiles.run(`${line} -n`)).code).toBe(0)
  expect((await profiles.run('remove staging -n')).code).toBe(2)
  expect(readFileSync(profiles.file)).toEqual(before)
})

test('the folder of the profiles is where the variables say', async () => {
  const env = { ANALYTICS_CONFIG_DIR: '', XDG_CONFIG_HOME: join(profiles.world.folder, 'xdg') }
  await profiles.run('add p --base-url https://p.example.com --api-key-stdin', { stdin: 'key', env })
  expect(existsSync(join(profiles.world.folder, 'xdg', 'analytics', 'config.json'))).toBe(true)
  await profiles.run('add p --base-url https://p.example.com --api-key-stdin', {
    stdin: 'key',
    env: { ANALYTICS_CONFIG_DIR: '' },
  })
  expect(existsSync(join(profiles.world.folder, '.config', 'analytics', 'config.json'))).toBe(true)
})
