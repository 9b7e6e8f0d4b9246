/** What a shell gets when it asks `analytics __complete -- WORDS…`: the last word is the one at the cursor. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tree } from '../../../src/commands/tree.ts'
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
      ['table', 'json', 'ndjson', 'csv', 'ids'],
    ],
    [['persons', 'list', '--output=j'], ['--output=json']],
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
      ['sandbox', 'serve', '--dialect', ''],
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

test('a damaged file of profiles, or a variable that cannot be, is no reason to speak', async () => {
  const world = newWorld()
  mkdirSync(join(world.folder, 'config'))
  writeFileSync(join(world.folder, 'config/config.json'), '{')
  expect(await candidates(['profiles', 'use', 's'], {}, world)).toEqual([])
  expect(await candidates(['projects', 'get', '1'], { env: { ANALYTICS_OUTPUT: 'nonsense' } }, world)).toEqual([])
})
