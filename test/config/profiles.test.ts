/** Tables of valid and invalid settings. test/transcripts/profiles.txt shows the messages. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { expect, test } from 'vitest'
import { wordsOf } from '../../src/text/shell-words.ts'
import { freshProfiles } from './profiles.ts'

const profiles = freshProfiles()

test('each setting of a profile can be saved, listed and removed', async () => {
  const { folder } = profiles.world
  writeFileSync(join(folder, 'ca.pem'), rootCertificates[0] ?? '')
  writeFileSync(join(folder, 'headers'), 'X-Access: abc', { mode: 0o600 })
  const organization = '018f2c5e-0000-7000-8000-000000000001'
  const words = `--project 42 --organization ${organization} --safety no-delete --max-deletes 0500 --ca-file ca.pem`
  await profiles.add('prod', ` ${words} --headers-file headers --allow-http --output csv`)
  const kept = {
    project: '42',
    organization,
    safety: 'no-delete',
    maxDeletes: 500,
    caFile: join(folder, 'ca.pem'),
    headersFile: join(folder, 'headers'),
    allowHttp: true,
    output: 'csv',
  }
  const always = { baseUrl: 'https://prod.example.com/', apiKey: 'key-of-prod' }
  expect(profiles.kept().profiles.prod).toEqual({ ...always, ...kept })
  const [row] = JSON.parse((await profiles.run('list -o json')).stdout)
  const names = Object.keys(kept).map(name => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`))
  expect(names.map(name => row[name])).toEqual(Object.values(kept))
  const none = `set prod --project none --organization none --safety none --max-deletes none --ca-file none --headers-file none`
  expect((await profiles.world.run(['profiles', ...wordsOf(none)])).code).toBe(0)
  expect(profiles.kept().profiles.prod).toEqual({ ...always, allowHttp: true, output: 'csv' })
})

test.each([
  '--max-deletes -1',
  '--max-deletes 1.5',
  '--safety read',
  '--safety no-delete --safety none',
  '--output yaml',
  '--project ..',
  '--organization 7',
  '--ca-file nowhere.pem',
  '--base-url https://ada:secret@a.example.com',
  '--base-url https://a.example.com/?key=secret',
  '--base-url https://a.example.com/#secret',
  '--base-url ftp://a.example.com',
  '--base-url a.example.com',
  '--api-key-command " "',
  '--api-key-command ./key.sh',
  '--api-key-command "bin/key prod"',
])('%s is refused, and nothing is saved', async words => {
  const base = words.includes('base-url') ? '' : '--base-url https://p.example.com '
  const key = words.includes('api-key') ? '' : ' --api-key-stdin'
  const argv = ['profiles', 'add', 'p', ...wordsOf(`${base}${words}${key}`)]
  const { code, stderr } = await profiles.world.run(argv, { stdin: 'key-of-p' })
  expect([code, stderr.includes('secret'), existsSync(profiles.file)]).toEqual([2, false, false])
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
  expect((await profiles.world.run(['profiles', 'add', '--', name])).code).toBe(2)
})

test('names such as constructor are ordinary names', async () => {
  await profiles.add('constructor')
  expect((await profiles.run('list -o ids')).stdout).toBe('constructor\n')
  expect((await profiles.run('show toString')).stderr).toContain('Profile "toString" was not found')
})

test('reads a key from a pipe with any line end, and refuses an invalid one', async () => {
  const add = (stdin: string) => profiles.run('add p --base-url https://p.example.com --api-key-stdin', { stdin })
  for (const stdin of ['secret', 'secret\n', 'secret\r\n', '  secret  \n\n']) {
    await add(stdin)
    expect(profiles.kept().profiles.p?.apiKey).toBe('secret')
    await profiles.run('remove p')
  }
  for (const stdin of ['', '\n', 'two\nlines\n', 'x'.repeat(100_000), 'schlüssel\n', '"quoted"', 'a\u0000b']) {
    expect((await add(stdin)).code).toBe(2)
  }
})

test('replaces a key by a key or a command, and sends neither to another host', async () => {
  await profiles.add('prod')
  await profiles.run('set prod --api-key-stdin', { stdin: 'rotated\n' })
  expect(profiles.kept().profiles.prod?.apiKey).toBe('rotated')
  await profiles.world.run(['profiles', 'set', 'prod', '--api-key-command', 'pass show analytics'])
  expect(profiles.kept().profiles.prod).toEqual({
    baseUrl: 'https://prod.example.com/',
    apiKeyCommand: 'pass show analytics',
  })
  const before = readFileSync(profiles.file)
  for (const url of ['https://evil.example.com', 'https://prod.example.com:8443']) {
    expect((await profiles.run(`set prod --base-url ${url}`)).code).toBe(2)
  }
  expect(readFileSync(profiles.file)).toEqual(before)
  expect((await profiles.run('set prod --base-url https://prod.example.com/prefix')).code).toBe(0)
  const moved = await profiles.run('set prod --base-url https://new.example.com --api-key-stdin', { stdin: 'new' })
  expect([moved.code, profiles.kept().profiles.prod]).toEqual([
    0,
    { baseUrl: 'https://new.example.com/', apiKey: 'new' },
  ])
})

test('profiles never show a key, and only the program of a key command without --reveal', async () => {
  await profiles.add('prod')
  await profiles.world.run(wordsOf('profiles add b --base-url https://b.example.com --api-key-command "echo key-of-b"'))
  const env = { ANALYTICS_API_KEY: 'key-of-environment', ANALYTICS_PROJECT: 'key-of-environment' }
  for (const format of ['table', 'json', 'ndjson', 'csv', 'ids']) {
    for (const line of ['list', 'show', 'show b', 'show --debug']) {
      const { code, stdout, stderr } = await profiles.run(`${line} -o ${format}`, { env })
      expect([code, (stdout + stderr).includes('key-of')]).toEqual([0, false])
    }
  }
  expect((await profiles.run('show b --reveal')).stdout).toContain('echo key-of-b')
})

test('the output format of the profile applies to every command and error', async () => {
  await profiles.add('q', ' --output json')
  for (const line of ['profiles list', 'profiles show', 'jobs list']) {
    expect(typeof JSON.parse((await profiles.world.run(line.split(' '))).stdout)).toBe('object')
  }
  for (const line of ['persons list --bogus', 'persons lst', 'jobs show x', 'profiles show nobody']) {
    const { code, stderr } = await profiles.world.run(line.split(' '))
    expect(JSON.parse(stderr)).toMatchObject({ error: { exit: code } })
    const other = await profiles.world.run(line.split(' '), { env: { ANALYTICS_OUTPUT: 'table' } })
    expect([other.code, other.stderr.startsWith('{')]).toEqual([code, false])
  }
})

test('does not send a key to a base URL that another process set meanwhile', async () => {
  await profiles.add('prod')
  const moved = { profiles: { prod: { baseUrl: 'https://b.example.com/', apiKey: 'key-of-b' } } }
  const options = {
    // While the key is typed.
    get stdin() {
      writeFileSync(profiles.file, JSON.stringify(moved))
      return 'another-key-of-prod'
    },
  }
  const { code, stderr } = await profiles.run('set prod --api-key-stdin', options)
  expect([code, stderr]).toEqual([
    10,
    expect.stringContaining('The base URL of profile prod changed while the command ran'),
  ])
  expect(profiles.kept()).toEqual(moved)
})
