/** Reads from servers that differ from the sandbox. */
import { describe, expect, test } from 'vitest'
import { type Answer, json, personRow } from '../server.ts'
import { against } from './against.ts'

const env = { ANALYTICS_PROJECT: '1', ANALYTICS_ORGANIZATION: '@current' }
const inProject = { env }

const always =
  (body: unknown): Answer =>
  (_, response) =>
    json(response, body)

describe('one person by email or distinct id', () => {
  test('no match exits with 3, several persons are refused, and empty pages are skipped', async () => {
    const nobody = always({ results: [], next: null })
    expect(await against(nobody, 'persons get --email a@example.com', inProject)).toMatchObject({ code: 3 })
    const twins = always({ results: [personRow(1), { ...personRow(2), distinct_ids: ['person-1'] }], next: null })
    expect(await against(twins, 'persons get --distinct-id person-1', inProject)).toMatchObject({ code: 10 })
    const late: Answer = ({ query }, response) =>
      json(response, query.has('after') ? { results: [personRow(1)], next: null } : { results: [], next: '?after=1' })
    expect(await against(late, 'persons get --distinct-id person-1 -o ids', inProject)).toMatchObject({ stdout: '1\n' })
  })

  test.each([
    ['--distinct-id d1000', 'get'],
    ['--distinct-id d0', 'get'],
    ['--distinct-id d1000', 'report'],
    ['--distinct-id d0', 'report'],
  ])('%s of a person with more distinct ids than a list shows: %s finds that person', async (words, verb) => {
    const distinct_ids = Array.from({ length: 1001 }, (_, i) => `d${i}`)
    const answer: Answer = ({ path }, response) => {
      if (path.endsWith('/persons/1/')) return json(response, { ...personRow(1), distinct_ids })
      json(response, { results: [{ ...personRow(1), distinct_ids: distinct_ids.slice(0, 1000) }], next: null })
    }
    const { code, stdout } = await against(answer, `persons ${verb} ${words} -o json`, inProject)
    expect([code, stdout.includes('"d1000"')]).toEqual([0, true])
  })
})

test('undocumented types, members and nulls are shown unchanged', async () => {
  const odd = { id: 7, plugin_type: 'inline', name: null, is_stateless: true, organization_id: 7 }
  const { stdout } = await against(always(odd), 'plugins get 7 -o json', inProject)
  expect(stdout).toBe(`${JSON.stringify(odd)}\n`)
  const table = await against(always(odd), 'plugins get 7 --fields plugin_type,name,is_stateless', inProject)
  expect(table.stdout).toBe('Plugin type  inline\nName         -\nStateless    true\n')
})

test('a list without a count reports that there are more rows, also after an empty page', async () => {
  const page = (results: unknown[]) => always({ results, next: '?cursor=2' })
  const some = await against(page([personRow(1)]), 'persons list -o ids', inProject)
  expect(some).toMatchObject({ stdout: '1\n', stderr: 'Showing 1; there are more (use --all)\n' })
  const none = await against(page([]), 'persons list -o json', inProject)
  expect(none).toMatchObject({ stdout: '[]\n', stderr: 'Showing 0; there are more (use --all)\n' })
})

test.each([
  ['persons retention', { result: [1, 2], next: null }, [1, 2]],
  ['persons trends', { results: [], next: null, missing_persons: 3 }, []],
  ['persons values', [{ name: null, count: 1 }], [{ name: null, count: 1 }]],
  ['persons cohorts', { data: { results: [1] } }, { data: { results: [1] } }],
  ['persons lifecycle', 'a text', 'a text'],
  ['plugins unused', [], []],
  ['plugins check-for-updates 4', { plugin: { id: 4 }, extra: 1 }, { plugin: { id: 4 }, extra: 1 }],
  ['plugins source 1', { results: 'a file', 'index.ts': '' }, { results: 'a file', 'index.ts': '' }],
])('%s: %j', async (line, body, shown) => {
  const { stdout, code } = await against(always(body), `${line} -o json`, inProject)
  expect([JSON.parse(stdout), code]).toEqual([shown, 0])
})

describe('the project and the organization', () => {
  const project = always({ id: 1, organization: '018f0000-0000-4000-8000-000000000002' })

  test('the organization is read from the project if none is given', async () => {
    const { asked } = await against(project, 'plugins get 2', { env: { ANALYTICS_PROJECT: '1' } })
    expect(asked.map(({ path }) => path)).toEqual([
      '/behind/api/projects/1/',
      '/behind/api/organizations/018f0000-0000-4000-8000-000000000002/plugins/2/',
    ])
  })

  test.each([
    ['projects get', {}, 2],
    ['projects get', { ANALYTICS_API_KEY: '' }, 4],
    ['persons list', {}, 2],
    ['plugins list', {}, 2],
    ['plugins list', { ANALYTICS_API_KEY: '' }, 4],
    ['api GET /api/projects/{project}/', {}, 2],
    ['projects get ..', {}, 2],
    ['projects get ""', env, 2],
    ['persons get %2e%2e', env, 2],
    ['persons activity ""', env, 2],
    ['persons get activity', env, 2],
    ['plugins get unused', env, 2],
    ['persons list --project ..', {}, 2],
    ['plugins list --organization .', {}, 2],
  ])('%s with %j exits with %i before any request', async (line, given, code) => {
    const ran = await against(project, line, { env: given })
    expect([ran.code, ran.stdout, ran.asked]).toEqual([code, '', []])
  })
})

test('the CSV of format=csv is printed unchanged', async () => {
  const csv = 'id,name\r\n1,"a"\r\n'
  const line = 'persons trends --param format=csv'
  const { code, stdout, asked } = await against((_, response) => void response.end(csv), line, inProject)
  expect([code, stdout]).toEqual([0, csv])
  expect([String(asked[0]?.query), asked[0]?.headers.accept]).toEqual(['format=csv', 'application/json, */*;q=0.5'])
})

test.each([
  '--limit 3',
  '--all',
  '--fields id',
  '--where id=3',
])('format=csv cannot be combined with %s', async more => {
  const line = `persons trends --param format=csv ${more}`
  expect(await against(always([]), line, inProject)).toMatchObject({ code: 2, asked: [] })
})

test.each([
  ['../../x', 5],
  ['abc', 5],
  [5, 5],
  [{ id: 5 }, 5],
  [null, 2],
  [undefined, 2],
])('a project whose organization is %j exits with %i', async (organization, code) => {
  const ran = await against(always({ id: 1, organization }), 'plugins list', { env: { ANALYTICS_PROJECT: '1' } })
  expect([ran.code, ran.asked.length]).toEqual([code, 1])
})

test('a column that only a later page has is reported', async () => {
  const paged: Answer = ({ query }, response) =>
    query.has('cursor')
      ? json(response, { next: null, results: [{ ...personRow(2), 'la\u001b[31mte': 1 }] })
      : json(response, { next: '?cursor=2', results: [personRow(1)] })
  const { code, stdout, stderr } = await against(paged, 'persons list --all -o csv', inProject)
  expect([code, stdout.split('\n').length]).toEqual([0, 4])
  expect(stderr).toMatch(/^1 column left out: la.*te \(choose with --fields\)\n$/)
  expect(stderr).not.toContain('\u001b')
})

test('a list whose second page is not found exits with 5, after the rows of the first', async () => {
  const ends: Answer = ({ query }, response) =>
    query.has('offset')
      ? json(response, { detail: 'Not found.' }, 404)
      : json(response, { results: [personRow(1)], next: '?offset=1' })
  const ran = await against(ends, 'persons list --all -o ids', inProject)
  expect([ran.code, ran.stdout]).toEqual([5, '1\n'])
  expect(ran.stderr).toContain('The next page of the list was not found (404).')
})
