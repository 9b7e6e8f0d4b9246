/** Setting up at a terminal: the projects of the service are offered to choose from. */
import { expect, test } from 'vitest'
import { type Answer, json } from '../server.ts'
import { freshProfiles } from './profiles.ts'
import { adding, having, pathsOf, serve, shop } from './shop.ts'

const profiles = freshProfiles()
const add = adding(profiles)
const project = () => profiles.kept().profiles.prod?.project

/** A key for one project. */
const only42: Answer = (asked, response) =>
  asked.path.endsWith('/42/') ? having(shop)(asked, response) : json(response, { detail: 'No.' }, 403)

test('address and key are asked for, the projects are offered by their ids, and it is said what was stored', async () => {
  const server = await serve(having(shop))
  const { code, stdout, stderr } = await add(server, ['42'])
  expect([code, stdout]).toEqual([0, ''])
  expect(stderr.replaceAll(profiles.world.folder, '~').replaceAll(new URL(server.url).host, 'HOST')).toBe(
    [
      'Base URL: http://HOST/',
      'API key (not shown): ',
      'Asking HOST …',
      'The key is accepted, for 3 projects:',
      '   1  Juniper & Quill Books',
      '   7  Hedgehog Press',
      '  42  Fernway Tea',
      'Project id (empty: none): 42',
      'Added profile prod to ~/config/config.json',
      'It holds base URL http://HOST/, project 42 and the key; only you can read the file (0600)',
      'It is the profile in use',
      '',
    ].join('\n'),
  )
  expect(profiles.kept()).toEqual({
    current: 'prod',
    profiles: { prod: { baseUrl: server.url, apiKey: 'made-up-key', project: '42' } },
  })
  expect(pathsOf(server)).toEqual(['GET /api/projects/?limit=15'])
  expect(server.asked[0]?.headers.authorization).toBe('Bearer made-up-key')
})

test('enter takes the only project, and none of several', async () => {
  expect((await add(await serve(having({ 7: 'Hedgehog Press' })), [''])).stderr).toContain('Project id (empty: 7): ')
  expect(project()).toBe('7')
  await profiles.run('remove prod')
  await add(await serve(having(shop)), [''])
  expect(project()).toBeUndefined()
})

test('a service behind a path prefix is asked there', async () => {
  const server = await serve(having(shop))
  await add({ url: `${server.url}analytics` }, ['1'])
  expect(pathsOf(server)).toEqual(['GET /analytics/api/projects/?limit=15'])
})

test('an id that is mistyped is asked for again, until there is such a project or none is wanted', async () => {
  const again = await add(await serve(having(shop)), ['24', '..', '25', '26', '27', '42'])
  expect([again.code, project()]).toEqual([0, '42'])
  expect(again.stderr).toContain('There is no project 24 for this key\nProject id')
  await profiles.run('remove prod')
  expect((await add(await serve(having(shop)), ['24'])).code).toBe(10)
  expect(profiles.kept().profiles).toEqual({})
  expect((await add(await serve(having(shop)), ['24', ''])).code).toBe(0)
  expect(project()).toBeUndefined()
})

/** Accepts one key. */
const keyed: Answer = (asked, response) =>
  asked.headers.authorization === 'Bearer right-key'
    ? having(shop)(asked, response)
    : json(response, { detail: 'Invalid key.' }, 401)

test('a key that the service refuses is asked for again, unseen, and whatever else was typed is kept', async () => {
  const server = await serve(keyed)
  const added = await add(server, ['wrong-again', 'right-key', '42'])
  expect([added.code, profiles.kept().profiles.prod]).toEqual([
    0,
    { baseUrl: server.url, apiKey: 'right-key', project: '42' },
  ])
  expect(added.stderr.match(/\(401\).*\nAPI key \(not shown\): \n/g)).toHaveLength(2)
  expect(added.stderr).not.toMatch(/made-up-key|wrong-again|right-key/)
  const set = await profiles.run('set prod --api-key-stdin', { answers: ['wrong-key', 'right-key'] })
  expect([set.code, profiles.kept().profiles.prod]).toEqual([
    0,
    { baseUrl: server.url, apiKey: 'right-key', project: '42' },
  ])
  expect(set.stderr).toContain('(401)')
  expect((await add(server, ['wrong-again'], {}, 'add other')).code).toBe(10)
  expect(profiles.kept().profiles.other).toBeUndefined()
})

test('a key that was not typed is stored only if that is meant', async () => {
  const server = await serve(keyed)
  const words = (name: string) => `add ${name} --api-key-command pwd --project 7 --base-url ${server.url}`
  const declined = await profiles.run(words('a'), { answers: ['n'] })
  expect([declined.code, declined.stderr]).toEqual([10, expect.stringContaining('Save it anyway? [y/N] ')])
  expect((await profiles.run(words('b'), { answers: ['y'] })).code).toBe(0)
  expect(Object.keys(profiles.kept().profiles)).toEqual(['b'])
})

test('a key that is pasted at the question whether to save is not shown, and the question is asked again', async () => {
  const server = await serve(
    (_, response) => void response.writeHead(401, { 'content-type': 'text/html' }).end('<html>'),
  )
  const { code, stderr } = await add(server, ['phx_pasted_by_mistake', 'n'])
  expect(code).toBe(10)
  expect(stderr.match(/Save it anyway/g)).toHaveLength(2)
  expect(stderr).toContain('That is neither y nor n')
  expect(stderr).not.toContain('pasted')
})

test('of 5,000 projects the first are shown, and any can be typed', async () => {
  const first = Object.fromEntries(Array.from({ length: 15 }, (_, i) => [i + 1, `Shop ${i + 1}`]))
  const all = { ...first, 4999: 'Shop 4999' }
  const server = await serve((asked, response) =>
    having(asked.path.endsWith('/projects/') ? first : all, { count: 5000, next: '?offset=15' })(asked, response),
  )
  const { stderr } = await add(server, ['4999'])
  expect(stderr).toContain('for these projects and others:\n   1  Shop 1\n')
  expect(stderr).toContain('\n  15  Shop 15\nProject id (empty: none)')
  expect(stderr).toContain('The key is accepted, and project 4999 is Shop 4999\n')
  expect([pathsOf(server).length, project()]).toEqual([2, '4999'])
})

test('names are shown tame, whole if they fit, and of one line; ids that nobody could type are left out', async () => {
  const names = { 1: 'a\u001b[2Jb\u202e\nc', 2: '🦔 Hedgehog', 3: 'x'.repeat(5000), 4: null }
  const odd = { results: [...Object.entries(names).map(([id, name]) => ({ id: +id, name })), { id: '../9\u001b' }, 5] }
  const { stderr } = await add(await serve(having({}, { ...odd, count: 4 })), ['2'], { columns: 40 })
  expect(stderr.replaceAll('\u001b[33m', '')).toContain(
    `  1  a\\u001b[2Jb\\u202e\\nc\n  2  🦔 Hedgehog\n  3  ${'x'.repeat(34)}…\n  4  (no name)\nProject id`,
  )
})

test('a key that may not list projects is checked with the one that is typed', async () => {
  const server = await serve(only42)
  const { code, stderr } = await add(server, ['7', '42'])
  expect([code, project()]).toEqual([0, '42'])
  expect(stderr).toContain('The key may not list projects, so it is checked with the one that you name\nProject id')
  expect(stderr).toContain('The key may not read project 7\nProject id')
  expect(stderr).toContain('The key is accepted, and project 42 is Fernway Tea\n')
  await profiles.run('remove prod')
  expect((await add(server, [''])).code).toBe(0)
  expect(project()).toBeUndefined()
})

test('a project that was given is looked at, and none is offered', async () => {
  const server = await serve(having(shop))
  const there = await add(server, [], {}, 'add prod --project 7')
  expect(there.stderr).toContain('The key is accepted, and project 7 is Hedgehog Press\n')
  expect(pathsOf(server)).toEqual(['GET /api/projects/7/'])
  const not = await add(server, ['n'], {}, 'add other --project 8')
  expect([not.code, not.stderr]).toEqual([10, expect.stringContaining('There is no project 8 for this key\n')])
})

test('a key that a command prints is tried too, and of the command only the program is named', async () => {
  const server = await serve(having(shop))
  const command = `"${process.execPath}" -p "'key-of-' + 'command'"`
  const words = [
    'profiles',
    'add',
    'prod',
    '--base-url',
    server.url,
    '--api-key-command',
    command,
    '--safety',
    'no-delete',
  ]
  const { stderr } = await profiles.world.run(words, { answers: ['42'] })
  expect(server.asked[0]?.headers.authorization).toBe('Bearer key-of-command')
  expect(stderr).toContain(
    `project 42, safety no-delete and the command that prints the key (${process.execPath}); the key itself is not stored\n`,
  )
  const broken = [...words.slice(0, 2), 'ci', ...words.slice(3, 6), 'no-such-program']
  const failed = await profiles.world.run(broken, { answers: ['n'] })
  expect([failed.code, failed.stderr]).toEqual([10, expect.stringContaining('no-such-program was not found')])
})

test('another profile is said not to be in use, and how to use it', async () => {
  const server = await serve(having(shop))
  await profiles.add('first')
  expect((await add(server, ['1'])).stderr).toContain(
    'It is not in use; for one command: --profile prod\nFrom now on for all: analytics profiles use prod\n',
  )
})
