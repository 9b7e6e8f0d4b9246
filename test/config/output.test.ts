/** The format of a profile counts for every command and for every error, as ANALYTICS_OUTPUT does. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { wordsOf } from '../../src/text/shell-words.ts'
import { freshProfiles } from './profiles.ts'

const profiles = freshProfiles()
beforeEach(async () => {
  await profiles.add('plain')
  await profiles.add('q', ' --default-output json')
  await profiles.run('use q')
})

test.each(['profiles list', 'profiles show', 'profiles show plain', 'jobs list'])('what %s prints', async line => {
  const as = (more: string, env = {}) => profiles.world.run(wordsOf(line + more), { env })
  const { code, stdout } = await as('')
  expect([code, typeof JSON.parse(stdout)]).toEqual([0, 'object'])
  for (const { stdout } of [
    await as('', { ANALYTICS_PROFILE: 'plain' }),
    await as('', { ANALYTICS_OUTPUT: 'table' }),
  ]) {
    expect(() => JSON.parse(stdout)).toThrow()
  }
})

test('what doctor finds', async () => {
  const { stdout } = await profiles.world.run(['doctor', '--base-url', 'ftp://x'])
  expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ check: expect.any(String) }))
})

test.each([
  'persons list --bogus',
  'persons lst',
  'persons get foo',
  'persons list --limit x',
  'persons list -o jsn',
  'jobs show x',
  'profiles show nobody',
])('the error of %s', async line => {
  const as = (more: string, env = {}) => profiles.world.run(wordsOf(line + more), { env })
  const { code, stderr } = await as('')
  expect(JSON.parse(stderr)).toMatchObject({ error: { exit: code, message: expect.any(String) } })
  const others = [await as('', { ANALYTICS_PROFILE: 'plain' }), await as('', { ANALYTICS_OUTPUT: 'table' })]
  for (const other of others) expect([other.code, other.stderr.startsWith('{')]).toEqual([code, false])
})

test('an unreadable variable is told as the profile says', async () => {
  const { code, stderr } = await profiles.world.run(['jobs', 'list'], { env: { ANALYTICS_ALLOW_HTTP: 'maybe' } })
  expect([code, JSON.parse(stderr).error.exit]).toEqual([2, 2])
})

test.each([
  [['--sandbox'], {}],
  [[], { ANALYTICS_SANDBOX: '1' }],
])('the sandbox ignores profiles: %j %j', async (more, env) => {
  const { stderr } = await profiles.world.run(['persons', 'get', 'foo', ...more], { env })
  expect(stderr).toMatch(/^(sandbox: .*\n)*"foo" is not the id/)
  const { stdout } = await profiles.world.run(['persons', 'get', '1', ...more], { env })
  expect(() => JSON.parse(stdout)).toThrow()
})

test.each([
  '{"current":"q","profiles":{"q":{"output":"toml"}}}',
  'no JSON',
  '[]',
])('a damaged file of profiles changes no error, and no command that needs none: %s', async text => {
  mkdirSync(dirname(profiles.file), { recursive: true })
  writeFileSync(profiles.file, text)
  const { code, stderr } = await profiles.world.run(['persons', 'list', '--bogus'])
  expect([code, stderr]).toEqual([2, expect.stringContaining('--bogus')])
  expect(await profiles.world.run(['help', 'options'])).toMatchObject({ code: 0 })
  expect((await profiles.run('list')).stderr).toContain('is damaged, and was left as it is')
})
