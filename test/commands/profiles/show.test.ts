import { expect, test } from 'vitest'
import { freshProfiles } from '../../config/profiles.ts'

const profiles = freshProfiles()

test('show says where every value comes from', async () => {
  await profiles.add('prod', ' --project 42 --safety no-delete')
  const env = { ANALYTICS_PROJECT: '43', ANALYTICS_API_KEY: 'key-of-environment' }
  const { stdout } = await profiles.run('show --organization 018f -o json', { env })
  const rows: { setting: string; value: string; from: string; where: string | null }[] = JSON.parse(stdout)
  const found = Object.fromEntries(rows.map(({ setting, value, from, where }) => [setting, [value, from, where]]))
  expect(found).toMatchObject({
    profile: ['prod', 'default', profiles.file],
    base_url: ['https://prod.example.com/', 'profile', profiles.file],
    project: ['43', 'environment', 'ANALYTICS_PROJECT'],
    organization: ['018f', 'option', '--organization'],
    api_key: ['***', 'environment', 'ANALYTICS_API_KEY'],
    safety: ['no-delete', 'profile', profiles.file],
    timeout: ['30', 'default', null],
  })
  const table = (await profiles.run('show', { env })).stdout
  expect(table).toMatch(/^project +43 +environment +ANALYTICS_PROJECT$/m)
})

test('a profile that an argument names is that of --profile', async () => {
  await profiles.add('prod')
  const { stdout } = await profiles.run('show prod')
  expect(stdout).toMatch(/^profile +prod +option +--profile$/m)
  expect((await profiles.run('show --profile prod')).stdout).toBe(stdout)
})

test('show names the one place that the key is taken from', async () => {
  const commands = ['--base-url', 'https://p.example.com', '--api-key-command', 'pass show analytics']
  await profiles.world.run(['profiles', 'add', 'p', ...commands])
  const places = async (env: Readonly<Record<string, string>>) =>
    (await profiles.run('show -o csv --no-header --fields setting,value', { env })).stdout
      .split('\n')
      .filter(line => line.startsWith('api_key'))
  expect(await places({})).toEqual(['api_key_command,pass …'])
  expect(await places({ ANALYTICS_API_KEY_FILE: 'key.txt' })).toEqual(['api_key_file,key.txt'])
  expect(await places({ ANALYTICS_API_KEY_FILE: 'key.txt', ANALYTICS_API_KEY: 'k' })).toEqual(['api_key,***'])
  expect((await profiles.run('show --reveal')).stdout).toContain('pass show analytics')
})

test('no key stands in what is shown of profiles, in any format', async () => {
  await profiles.add('prod')
  await profiles.world.run([
    'profiles',
    'add',
    'b',
    '--base-url',
    'https://b.example.com',
    '--api-key-command',
    'echo key-of-b',
  ])
  for (const format of ['table', 'json', 'ndjson', 'csv', 'ids']) {
    for (const line of ['list', 'show', 'show b', 'show --debug']) {
      const { code, stdout, stderr } = await profiles.run(`${line} -o ${format}`, {
        env: { ANALYTICS_API_KEY: 'key-of-environment' },
      })
      expect(code).toBe(0)
      expect(stdout + stderr).not.toContain('key-of')
    }
  }
})

test('a key that stands in the variable of another setting is not shown', async () => {
  await profiles.add('prod')
  for (const [key, env] of [
    ['key-of-environment', { ANALYTICS_API_KEY: 'key-of-environment' }],
    ['key-of-prod', {}],
  ] as const) {
    const swapped = { ...env, ANALYTICS_PROJECT: key, ANALYTICS_ORGANIZATION: key }
    for (const line of ['show', 'show prod -o json', 'show -o csv']) {
      const { stdout, stderr } = await profiles.run(line, { env: swapped })
      expect(stdout + stderr).not.toContain(key)
    }
    expect((await profiles.run('show --reveal', { env: swapped })).stdout).toContain(key)
  }
})

test('in the sandbox profiles, keys and base URLs are ignored, and that is said', async () => {
  await profiles.add('prod')
  const env = { ANALYTICS_SANDBOX: '1', ANALYTICS_API_KEY: 'k', ANALYTICS_BASE_URL: 'https://a.example.com' }
  const { code, stdout, stderr } = await profiles.world.run(
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
  const shown = await profiles.run('show', { env })
  expect(shown.stdout).not.toMatch(/undefined|base_url|api_key/)
  expect(shown.stderr).toContain('ANALYTICS_BASE_URL')
  // ANALYTICS_SANDBOX=0 is how a script says that it is not wanted.
  expect((await profiles.run('show', { env: { ...env, ANALYTICS_SANDBOX: '0' } })).stdout).toContain(
    'https://a.example.com',
  )
})
