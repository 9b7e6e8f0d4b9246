/** What a shell gets when it asks `analytics __complete -- WORDS…`: the last word is the one at the cursor. */
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tree } from '../../../src/commands/tree.ts'
import { json } from '../../server.ts'
import { startService } from '../../service.ts'
import { newWorld, type Options } from '../../world.ts'

/** The candidates, without what stands behind the tab. Whatever is wrong, it says nothing and ends with 0. */
async function candidates(words: readonly string[], options: Options = {}, world = newWorld()): Promise<string[]> {
  const { stdout, stderr, code } = await world.run(['__complete', '--', ...words], options)
  expect([code, stderr]).toEqual([0, ''])
  return stdout.split('\n').flatMap(line => (line === '' ? [] : [line.split('\t')[0] ?? '']))
}

const inSandbox: Options = { env: { ANALYTICS_SANDBOX: '1' } }

test('the first word is one of the tree', async () => {
  expect(await candidates([''])).toEqual(Object.keys(tree))
})

describe('values of options', () => {
  test.each([
    [
      ['persons', 'list', '-o', ''],
      ['table', 'json', 'ndjson', 'csv', 'tsv', 'yaml', 'ids'],
    ],
    [['persons', 'list', '--output=j'], ['--output=json']],
    [['-o', 'y'], ['yaml']],
    [
      ['projects', 'update', '--timezone', 'Europe/Be'],
      ['Europe/Belfast', 'Europe/Belgrade', 'Europe/Berlin'],
    ],
    [
      ['projects', 'update', '--week-start-day', ''],
      ['0', '1'],
    ],
    [['plugins', 'create', '--plugin-type', 's'], ['source']],
    [
      ['persons', 'list', '--dialect', ''],
      ['documented', 'observed'],
    ],
    [
      ['persons', 'list', '--fields', 'id,prop'],
      ['id,properties', 'id,properties.email'],
    ],
    [
      ['persons', 'delete', '--fields', ''],
      ['id', 'status', 'error'],
    ],
    [['persons', 'delete', '--from', ''], [':files']],
    [['persons', 'list', '--limit', ''], []],
  ])('%j is completed with %j', async (words, expected) => {
    expect(await candidates(words)).toEqual(expected)
  })
})

test('an option that was given is not offered again, unless it may be repeated', async () => {
  const found = await candidates(['persons', 'list', '--property', 'plan=pro', '--all', '-q', '--'])
  expect(found).toContain('--property')
  expect(found).toContain('--limit')
  expect(found).not.toContain('--all')
  expect(found).not.toContain('--quiet')
})

test('a boolean field is offered both ways', async () => {
  expect(await candidates(['projects', 'update', '--anonymize'])).toEqual(['--anonymize-ips'])
  expect(await candidates(['projects', 'update', '--no-anonymize'])).toEqual(['--no-anonymize-ips'])
})

test('behind -- there are no options', async () => {
  expect(await candidates(['persons', 'delete', '--', '--'])).toEqual([])
})

test('help knows topics and words, api the paths that need no id', async () => {
  expect(await candidates(['help', 'e'])).toEqual(['exit-codes', 'environment', 'event-definitions'])
  expect(await candidates(['help', 'projects', 'p'])).toEqual(['pull'])
  expect(await candidates(['commands', 'p'])).toEqual(['persons', 'plugins', 'projects', 'profiles'])
  expect(await candidates(['api', 'GET', '/api/projects/{project}/e'])).toEqual([
    '/api/projects/{project}/event_definitions/',
  ])
})

test.each([
  [['nonsense', '']],
  [['persons', 'lsit', '']],
  [['persons', 'get', '1', '2', 'x']],
  [[]],
])('where nothing can stand, nothing is offered: %j', async words => {
  expect(await candidates(words).then(found => found.filter(one => !one.startsWith('-')))).toEqual(
    words.length === 0 ? Object.keys(tree) : [],
  )
})

describe('names', () => {
  test('of projects, event definitions and plugins, in the sandbox', async () => {
    const world = newWorld()
    expect(await candidates(['projects', 'get', ''], inSandbox, world)).toEqual(['2', '1'])
    const { stdout } = await world.run(['__complete', '--', '--project=2', 'event-definitions', 'get', ''], inSandbox)
    expect(stdout).toMatch(/^[\da-f-]{36}\tbook lent$/m)
    const { stdout: offered } = await world.run(['__complete', '--', 'plugins', 'delete', '1', ''], inSandbox)
    expect(offered).toMatch(/^2\tBasket Watcher$/m)
    expect(offered).not.toMatch(/^1\t/m)
  })

  test('of jobs, with how far they are', async () => {
    const world = newWorld()
    await world.run(['persons', 'delete', '3', '4', '--yes'], inSandbox)
    const { stdout } = await world.run(['__complete', '--', 'jobs', 'show', ''])
    expect(stdout).toMatch(/^20260515-\S+\tpersons delete, 2 of 2 done\n$/)
  })

  test('of jobs to resume: only those with something left to try', async () => {
    const world = newWorld()
    await world.run(['persons', 'delete', '3', '4', '--yes'], inSandbox)
    expect(await candidates(['jobs', 'resume', ''], {}, world)).toContain('--last')
    await world.run(['persons', 'delete', '5', '6', '--yes', '--max-duration', '0s'], inSandbox)
    expect(await candidates(['jobs', 'resume', ''], {}, world)).toEqual([expect.stringMatching(/^20260515-/)])
  })

  test('of profiles, but not for a new one', async () => {
    const world = newWorld()
    const add = 'profiles add staging --base-url https://analytics.example.com --api-key-command x'
    await world.run(add.split(' '))
    expect(await candidates(['profiles', 'use', ''], {}, world)).toEqual(['staging'])
    expect(await candidates(['persons', 'list', '--profile', ''], {}, world)).toEqual(['staging'])
    expect((await candidates(['profiles', 'add', ''], {}, world)).includes('staging')).toBe(false)
  })
})

describe('names that a service is asked for', () => {
  const page = { count: 1, next: null, previous: null, results: [{ id: 7, name: 'Up\u001b[31m\tand\ndown' }] }

  test('are asked for once in a while, with nothing in them that acts on a terminal', async () => {
    const { server, world, env } = await startService((_, response) => json(response, page))
    const { stdout } = await world.run(['__complete', '--', 'projects', 'get', ''], { env })
    expect(stdout).toMatch(/^7\t[^\p{Cc}]+\n$/u)
    expect(await candidates(['projects', 'delete', ''], { env }, world)).toEqual(['7'])
    expect(server.asked).toHaveLength(1)
  })

  test('are those of the organization in use, for plugins', async () => {
    const { server, world, env } = await startService((_, response) => json(response, page))
    const organizations = ['018f0000-0000-4000-8000-000000000001', '018f0000-0000-4000-8000-000000000002']
    for (const organization of organizations) {
      expect(await candidates(['plugins', 'get', '--organization', organization, ''], { env }, world)).toEqual(['7'])
    }
    expect(server.asked.map(({ path }) => path)).toEqual(organizations.map(id => `/api/organizations/${id}/plugins/`))
  })

  test('are not waited for: a service that never answers ends nothing but the wait', async () => {
    const { world, env } = await startService(() => undefined)
    expect(await candidates(['projects', 'get', ''], { env, longestCompletion: 50 }, world)).not.toContain('7')
  })

  test.each([
    '',
    '{',
    '"x"',
    '[{}]',
    '[null]',
    '\0\0',
  ])('are asked for again where what was kept is %j', async damage => {
    const { server, world, env } = await startService((_, response) => json(response, page))
    const folder = join(world.folder, 'state/completion')
    await candidates(['projects', 'get', ''], { env }, world)
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), damage)
    expect(await candidates(['projects', 'get', ''], { env }, world)).toEqual(['7'])
    expect(server.asked).toHaveLength(2)
  })

  test('come from what was kept where the service does not answer any more, however old it is', async () => {
    let answers = true
    const { world, env } = await startService((_, response) => (answers ? json(response, page) : undefined))
    const folder = join(world.folder, 'state/completion')
    await candidates(['projects', 'get', ''], { env }, world)
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), 0, 0)
    answers = false
    expect(await candidates(['projects', 'get', ''], { env, longestCompletion: 50 }, world)).toEqual(['7'])
  })

  test('are not got by a command that prints the key: it could ask for a finger', async () => {
    const { server, world } = await startService((_, response) => json(response, page))
    const proof = join(world.folder, 'asked')
    const add = ['profiles', 'add', 'local', '--base-url', server.url, '--api-key-command', `touch ${proof}`]
    await world.run(add)
    expect(await candidates(['projects', 'get', ''], {}, world)).not.toContain('7')
    expect(server.asked).toHaveLength(0)
  })

  test('that could do harm in a command line are left out', async () => {
    const rows = {
      ...page,
      results: [
        { id: '$(reboot)', name: 'x' },
        { id: '8', name: null },
      ],
    }
    const { world, env } = await startService((_, response) => json(response, rows))
    expect(await candidates(['projects', 'get', ''], { env }, world)).toEqual(['8'])
  })

  test.each([
    ['a refusal', 401, '{}'],
    ['a web page', 200, '<html>'],
    ['something else', 200, '{"results":3}'],
  ])('%s is no reason to speak', async (_, status, body) => {
    const { world, env } = await startService((_, response) => void response.writeHead(status).end(body))
    const found = await candidates(['projects', 'get', ''], { env }, world)
    expect(found.filter(one => !one.startsWith('-'))).toEqual([])
  })
})

test('a damaged file of profiles, or a variable that cannot be, is no reason to speak', async () => {
  const world = newWorld()
  mkdirSync(join(world.folder, 'config'))
  writeFileSync(join(world.folder, 'config/config.json'), '{')
  expect(await candidates(['profiles', 'use', 's'], {}, world)).toEqual([])
  expect(await candidates(['projects', 'get', '1'], { env: { ANALYTICS_OUTPUT: 'nonsense' } }, world)).toEqual([])
})

test('an id is not looked up with a setting that cannot be read: options are offered', async () => {
  const env = { ANALYTICS_SAFETY: 'bad' }
  expect(await candidates(['projects', 'get', ''], { env })).toContain('--fields')
})
