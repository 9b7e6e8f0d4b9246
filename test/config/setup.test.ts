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

test('address, key and project are asked for, and the projects are shown to choose from', async () => {
  const server = await serve(having(shop))
  const { code, stdout, stderr } = await add(server, ['42'])
  expect([code, stdout]).toEqual([0, ''])
  expect(stderr.replaceAll(profiles.world.folder, '~').replaceAll(new URL(server.url).host, 'HOST')).toBe(
    [
      'Base URL: http://HOST/',
      'API key (not shown): ',
      'Asking HOST …',
      'The key is accepted, for these projects:',
      '  1   Juniper & Quill Books',
      '  7   Hedgehog Press',
      '  42  Fernway Tea',
      'Project id (empty: none): 42',
      'The key is accepted, and project 42 is Fernway Tea',
      'Added profile prod to ~/config/config.json',
      '',
    ].join('\n'),
  )
  expect(profiles.kept()).toEqual({
    current: 'prod',
    profiles: { prod: { baseUrl: server.url, apiKey: 'made-up-key', project: '42' } },
  })
  expect(pathsOf(server)).toEqual(['GET /api/projects/?limit=15', 'GET /api/projects/42/'])
  expect(server.asked[0]?.headers.authorization).toBe('Bearer made-up-key')
})

test('a service behind a path prefix is asked there', async () => {
  const server = await serve(having(shop))
  await add({ url: `${server.url}analytics` }, ['1'])
  expect(pathsOf(server)).toEqual(['GET /analytics/api/projects/?limit=15', 'GET /analytics/api/projects/1/'])
})

test('an id that is mistyped is asked for again, until there is such a project or none is wanted', async () => {
  const again = await add(await serve(having(shop)), ['24', '..', '25', '26', '27', '42'])
  expect([again.code, project()]).toEqual([0, '42'])
  expect(again.stderr).toContain('Project 24 was not found\nProject id')
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

test('a key that was not typed and is refused is not stored, unless nothing is to be asked', async () => {
  const server = await serve(keyed)
  const words = `add ci --api-key-command pwd --project 7 --base-url ${server.url}`
  const refused = await profiles.run(words, { answers: [] })
  expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('Nothing is saved; with --yes ')])
  expect((await profiles.run(`${words} --yes`, { answers: [] })).code).toBe(0)
  expect(Object.keys(profiles.kept().profiles)).toEqual(['ci'])
})

test('a key that a proxy refuses is asked for again too, so that one that is pasted is not shown', async () => {
  const server = await serve(
    (_, response) => void response.writeHead(401, { 'content-type': 'text/html' }).end('<html>'),
  )
  const { code, stderr } = await add(server, ['phx_pasted_once_more'])
  expect(code).toBe(10)
  expect(stderr.match(/API key \(not shown\)/g)).toHaveLength(3)
  expect(stderr).not.toContain('pasted')
})

test('of 5,000 projects the first are shown, and any can be typed', async () => {
  const first = Object.fromEntries(Array.from({ length: 15 }, (_, i) => [i + 1, `Shop ${i + 1}`]))
  const all = { ...first, 4999: 'Shop 4999' }
  const server = await serve((asked, response) =>
    having(asked.path.endsWith('/projects/') ? first : all, { count: 5000, next: '?offset=15' })(asked, response),
  )
  const { stderr } = await add(server, ['4999'])
  expect(stderr).toContain('for these projects and others:\n  1   Shop 1\n')
  expect(stderr).toContain('\n  15  Shop 15\nProject id (empty: none)')
  expect(stderr).toContain('The key is accepted, and project 4999 is Shop 4999\n')
  expect([pathsOf(server).length, project()]).toEqual([2, '4999'])
})

test('names are shown tame, in one line each', async () => {
  const names = { 1: 'a\u001b[2Jb\u202e\nc', 2: '🦔 Hedgehog', 3: 'x'.repeat(5000), 4: null }
  const { stderr } = await add(await serve(having(names)), ['2'])
  expect(stderr).toContain(`  1  a\\u001b[2Jb\\u202e\\nc\n  2  🦔 Hedgehog\n  3  ${'x'.repeat(59)}…\n  4\nProject id`)
})

test('a key that may not list projects is checked with the one that is typed', async () => {
  const server = await serve(only42)
  const { code, stderr } = await add(server, ['7', '42'])
  expect([code, project()]).toEqual([0, '42'])
  expect(stderr).toContain('The key may not list projects\nProject id')
  expect(stderr).toMatch(/\(403\).*\nProject id/)
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
  const not = await add(server, [], {}, 'add other --project 8')
  expect([not.code, not.stderr]).toEqual([3, expect.stringContaining('Project 8 was not found')])
})

test('a key that a command prints is tried too', async () => {
  const server = await serve(having(shop))
  const command = `"${process.execPath}" -p "'key-of-' + 'command'"`
  const words = ['profiles', 'add', 'prod', '--base-url', server.url, '--api-key-command']
  await profiles.world.run([...words, command], { answers: ['42'] })
  expect(server.asked[0]?.headers.authorization).toBe('Bearer key-of-command')
  const failed = await profiles.world.run(['profiles', 'add', 'ci', ...words.slice(3), 'no-such-program'], {
    answers: [],
  })
  expect([failed.code, failed.stderr]).toEqual([4, expect.stringContaining('no-such-program was not found')])
})
