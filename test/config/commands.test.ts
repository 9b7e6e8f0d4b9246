import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { expect, test } from 'vitest'
import { freshProfiles } from './profiles.ts'

const profiles = freshProfiles()
const [certificate = ''] = rootCertificates

test('the first profile added is the one in use, until another is', async () => {
  await profiles.add('prod', ' --project 42')
  await profiles.add('staging')
  expect((await profiles.run('list -o csv --fields name,in_use,base_url,project')).stdout).toBe(
    'name,in_use,base_url,project\nprod,true,https://prod.example.com/,42\nstaging,false,https://staging.example.com/,\n',
  )
  expect(await profiles.run('use staging')).toMatchObject({ code: 0, stdout: '', stderr: 'Using profile staging\n' })
  expect((await profiles.run('list -o ids')).stdout).toBe('prod\nstaging\n')
  expect(profiles.kept().current).toBe('staging')
  expect((await profiles.run('remove staging')).stderr).toBe('Removed profile staging, which was the one in use\n')
  expect(profiles.kept()).toEqual({ profiles: { prod: expect.anything() } })
  const { code, stderr } = await profiles.world.run(['persons', 'list'])
  expect([code, stderr]).toEqual([4, expect.stringMatching(/No base URL given.*\n.*profiles use NAME/)])
})

test('a name that exists is refused: set changes it, and add did not', async () => {
  await profiles.add('prod')
  const before = readFileSync(profiles.file)
  const { code, stderr } = await profiles.run('add prod --base-url https://other.example.com --api-key-stdin', {
    stdin: 'other',
  })
  expect([code, stderr]).toEqual([2, 'There is a profile prod already.\nChange it with: analytics profiles set prod\n'])
  expect(readFileSync(profiles.file)).toEqual(before)
})

test('the key comes by pipe, whatever its line end; a key that cannot be one is refused', async () => {
  for (const stdin of ['secret', 'secret\n', 'secret\r\n', '  secret  \n\n']) {
    await profiles.run('add p --base-url https://p.example.com --api-key-stdin', { stdin })
    expect(profiles.kept().profiles.p?.apiKey).toBe('secret')
    await profiles.run('remove p')
  }
  for (const stdin of ['', '\n', 'two\nlines\n', 'x'.repeat(100_000), 'two words\n', 'schlüssel\n', 'a\u0000b']) {
    expect((await profiles.run('add p --base-url https://p.example.com --api-key-stdin', { stdin })).code).toBe(2)
  }
  expect(profiles.kept().profiles).toEqual({})
})

test('what a profile cannot be without is named where nobody can be asked for it', async () => {
  const answers = ['https://b.example.com', 'secret']
  expect((await profiles.run('add b', { stdin: '' })).stderr).toBe('A profile needs a base URL.\nGive --base-url.\n')
  expect((await profiles.run('add b --base-url https://b.example.com', { stdin: '' })).stderr).toContain(
    'A profile needs a key',
  )
  for (const never of ['--no-input', '--dry-run']) {
    expect((await profiles.run(`add b ${never}`, { answers })).code).toBe(2)
    const keyed = await profiles.run(`add b --base-url https://b.example.com --api-key-stdin ${never}`, { answers })
    expect([keyed.code, keyed.stderr]).toEqual([2, expect.stringContaining('No key comes on stdin')])
  }
  expect((await profiles.run('add b', { answers: ['https://b.example.com'] })).code).toBe(10)
  expect(existsSync(profiles.file)).toBe(false)
})

test('set changes what it is given, and takes away what it is given empty', async () => {
  await profiles.add('prod', ' --project 42 --safety read-only --default-output json')
  await profiles.run('set prod --project 43 --organization 018f0000-0000-4000-8000-000000000002 --safety no-delete')
  expect(profiles.kept().profiles.prod).toMatchObject({
    project: '43',
    organization: '018f0000-0000-4000-8000-000000000002',
    safety: 'no-delete',
    output: 'json',
  })
  await profiles.world.run(['profiles', 'set', 'prod', '--project', '', '--organization', '', '--safety', 'none'])
  expect(profiles.kept().profiles.prod).toEqual({
    baseUrl: 'https://prod.example.com/',
    apiKey: 'key-of-prod',
    output: 'json',
  })
  expect((await profiles.run('set prod')).code).toBe(2)
  for (const id of ['.', '..', '%2e%2e']) expect((await profiles.run(`set prod --project ${id}`)).code).toBe(2)
  expect((await profiles.run('set prdo --project 1 -o table')).stderr).toBe(
    'There is no profile "prdo".\nDid you mean prod?\n',
  )
})

test('limits are kept as values, shown, and taken away by none', async () => {
  const ca = join(profiles.world.folder, 'ca.pem')
  writeFileSync(ca, certificate)
  await profiles.add('prod', ' --safety confirm --max-deletes 0500 --require reason,receipt,reason --ca-file ca.pem')
  expect(profiles.kept().profiles.prod).toMatchObject({
    safety: 'confirm',
    maxDeletes: 500,
    require: ['reason', 'receipt'],
    caFile: ca,
  })
  const rows = await profiles.run('show -o csv --no-header')
  expect(rows.stdout).toContain(`max_deletes,500,profile,${profiles.file}\nrequire,"reason,receipt",profile,`)
  const listed = await profiles.run('list -o csv --no-header --fields safety,max_deletes,require,ca_file')
  expect(listed.stdout).toBe(`confirm,500,"[""reason"",""receipt""]",${ca}\n`)
  const none = ['--safety', 'none', '--max-deletes', 'none', '--require', 'none', '--ca-file', '']
  expect((await profiles.world.run(['profiles', 'set', 'prod', ...none])).code).toBe(0)
  expect(profiles.kept().profiles.prod).toEqual({ baseUrl: 'https://prod.example.com/', apiKey: 'key-of-prod' })
})

test('the last value counts, except of the safety level and of what is required', async () => {
  writeFileSync(join(profiles.world.folder, 'ca.pem'), certificate)
  const twice =
    ' --max-deletes 1 --max-deletes 2 --ca-file a.pem --ca-file ca.pem --default-output json --default-output csv'
  await profiles.add('prod', `${twice} --require receipt,reason`)
  expect(profiles.kept().profiles.prod).toMatchObject({
    maxDeletes: 2,
    caFile: join(profiles.world.folder, 'ca.pem'),
    output: 'csv',
    require: ['receipt', 'reason'],
  })
  expect((await profiles.run('set prod --safety confirm --safety none')).code).toBe(2)
  expect((await profiles.run('set prod --require none --require none')).code).toBe(0)
  expect(profiles.kept().profiles.prod).not.toHaveProperty('require')
})

test.each([
  ['--require none --require reason'],
  ['--max-deletes -1'],
  ['--max-deletes 1.5'],
  ['--require tea'],
  ['--require reason,'],
  ['--safety read'],
  ['--ca-file nowhere.pem'],
  ['--ca-file empty.pem'],
])('%s is refused', async words => {
  writeFileSync(join(profiles.world.folder, 'empty.pem'), '')
  expect((await profiles.add('prod', ` ${words}`)).code).toBe(2)
  expect(existsSync(profiles.file)).toBe(false)
})

test('an answer that cannot be is asked for again, and not repeated on the screen', async () => {
  const env = { ANALYTICS_CONFIG_DIR: join(profiles.world.folder, 'config') }
  const answers = [
    'secret one',
    'http://elsewhere.example.com',
    'ftp://x',
    'http://127.0.0.1:9',
    'two words',
    '',
    'key',
    'y',
    '',
  ]
  const { code, stderr } = await profiles.run('add prod --retries 0', { answers, env })
  expect(code).toBe(0)
  expect(stderr.match(/^(Base URL|API key)/gm)).toEqual([...Array(4).fill('Base URL'), ...Array(3).fill('API key')])
  expect(stderr.match(/That is not a base URL/g)).toHaveLength(1)
})

test('a key is rotated in place, and a command takes the place of a key', async () => {
  await profiles.add('prod')
  await profiles.run('set prod --api-key-stdin', { stdin: 'rotated\n' })
  expect(profiles.kept().profiles.prod?.apiKey).toBe('rotated')
  await profiles.world.run(['profiles', 'set', 'prod', '--api-key-command', 'pass show analytics'])
  expect(profiles.kept().profiles.prod).toEqual({
    baseUrl: 'https://prod.example.com/',
    apiKeyCommand: 'pass show analytics',
  })
})

test('a key does not move to another host with its profile', async () => {
  await profiles.add('prod')
  const before = readFileSync(profiles.file)
  expect((await profiles.run('set prod --base-url https://evil.example.com')).code).toBe(2)
  expect(readFileSync(profiles.file)).toEqual(before)
  expect((await profiles.run('set prod --base-url https://prod.example.com/prefix')).code).toBe(0)
  expect(
    (await profiles.run('set prod --base-url https://new.example.com --api-key-stdin', { stdin: 'new' })).code,
  ).toBe(0)
  expect(profiles.kept().profiles.prod).toEqual({ baseUrl: 'https://new.example.com/', apiKey: 'new' })
})

test.each([
  ['a password in it', 'https://ada:secret@a.example.com'],
  ['a query', 'https://a.example.com/?key=secret'],
  ['a fragment', 'https://a.example.com/#secret'],
  ['another scheme', 'ftp://a.example.com'],
  ['no scheme', 'a.example.com'],
  ['plain http to another machine', 'http://a.example.com'],
])('a base URL with %s is refused', async (_, url) => {
  const { code, stderr } = await profiles.run(`add p --base-url ${url} --api-key-stdin`, { stdin: 'key' })
  expect([code, existsSync(profiles.file)]).toEqual([2, false])
  expect(stderr).not.toContain('secret')
})

test('plain http to another machine is kept where it is allowed, by option, variable or the profile itself', async () => {
  const url = 'http://a.example.com'
  expect((await profiles.run(`add a --base-url ${url} --api-key-stdin --allow-http`, { stdin: 'key' })).code).toBe(0)
  expect((await profiles.run(`set a --base-url ${url}/prefix`)).code).toBe(0)
  const env = { ANALYTICS_ALLOW_HTTP: '1' }
  expect((await profiles.run(`add b --base-url ${url} --api-key-stdin`, { stdin: 'key', env })).code).toBe(0)
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

test('names that every object has are names like any other', async () => {
  await profiles.add('constructor')
  expect((await profiles.run('list -o ids')).stdout).toBe('constructor\n')
  expect((await profiles.run('show toString')).stderr).toContain('There is no profile "toString"')
})

test.each([
  ['nothing', ' ', 'names no program'],
  ['a relative path', './key.sh', 'is a relative path'],
  ['a path from the working folder', 'bin/key prod', 'is a relative path'],
])('a key command with %s is refused', async (_, command, says) => {
  const argv = ['profiles', 'add', 'p', '--base-url', 'https://p.example.com', '--api-key-command', command]
  const { code, stderr } = await profiles.world.run(argv)
  expect([code, stderr.includes(says)]).toEqual([2, true])
})

test('a certificate file that cannot be one is refused', async () => {
  const { folder } = profiles.world
  symlinkSync('loop.pem', join(folder, 'loop.pem'))
  writeFileSync(join(folder, 'ca.pem'), certificate)
  await profiles.add('prod')
  for (const name of ['ca.pem/x', 'loop.pem', 'n'.repeat(300)]) {
    const { code, stderr } = await profiles.run(`set prod --ca-file ${name}`)
    expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be read')])
  }
})

test('a password in an address, which only config.json or a variable can hold, is not shown', async () => {
  await profiles.add('prod')
  const stored = readFileSync(profiles.file, 'utf8')
  writeFileSync(profiles.file, stored.replace('https://', 'https://ada:pass-word@'))
  const env = { ANALYTICS_BASE_URL: 'https://ada:pass-word@b.example.com' }
  const shown = [
    await profiles.run('list -o json'),
    await profiles.run('show -o json'),
    await profiles.run('show', { env }),
  ]
  for (const { code, stdout } of shown) expect([code, stdout]).toEqual([0, expect.stringContaining('https://…@')])
  expect(shown.map(({ stdout }) => stdout).join('')).not.toContain('pass-word')
})

test('an @ in the path of an address is no password', async () => {
  const env = { ANALYTICS_BASE_URL: 'https://b.example.com/@team/' }
  expect((await profiles.run('show', { env })).stdout).toContain('https://b.example.com/@team/')
})
