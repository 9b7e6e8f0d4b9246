/** `api` passes every check that the commands pass. */
import { describe, expect, test } from 'vitest'
import { wordsOf } from '../../src/text/shell-words.ts'
import { type Answer, json } from '../server.ts'
import { newWorld, type Options } from '../world.ts'
import { against } from './against.ts'

/** Runs command lines one after the other, on one sandbox. */
async function enter(lines: readonly string[], options: Options = {}) {
  const world = newWorld()
  const ran = []
  for (const line of lines) {
    ran.push(await world.run(wordsOf(line), { ...options, env: { ANALYTICS_SANDBOX: '1', ...options.env } }))
  }
  return ran
}

const project = '/api/projects/{project}'
const split = `${project}/persons/55/split/`

describe('the safety level', () => {
  test.each([
    [`api POST ${project}/persons/funnel/ --body {}`, 0],
    [`api GET ${project}/`, 0],
    [`api PUT ${project}/ --field name=x`, 10],
    [`api PATCH ${project}/ --field name=x --dry-run`, 0],
  ])('read-only: %s exits with %i', async (line, code) => {
    const [ran] = await enter([line], { env: { ANALYTICS_SAFETY: 'read-only' } })
    expect(ran).toMatchObject({ code })
  })

  test.each([
    [`api POST ${split.replace('split', '%73%70lit')} --body '{"main_distinct_id":"ada"}' --yes`, 10],
    [`api POST ${project}/persons/3/delete_property/ --body '{"$unset":"plan"}' --yes`, 10],
    [`api PATCH /api/organizations/{organization}/plugins/5/update_source/ --body '{"index.ts":null}'`, 10],
    ['plugins update-source 5 --set-json index.ts=null', 10],
    [`api PUT ${project}/ --field name=x --yes`, 10],
    [`api POST ${project}/feature_flags/ --field name=x --yes`, 10],
    [`api PATCH ${project}/persons/bulk_delete/ --field ids=1 --yes`, 10],
    [`api PATCH ${project}/ --field name=x`, 0],
    ['plugins update-source 5 --name x', 0],
  ])('no-delete: %s exits with %i', async (line, code) => {
    const [ran] = await enter([line], { env: { ANALYTICS_SAFETY: 'no-delete' } })
    expect(ran).toMatchObject({ code })
  })
})

test('a body is printed byte for byte', async () => {
  const body = ' {"n": 1.0, "big": 9007199254740993,\r\n "s": "\\u0041"} \n'
  const { stdout } = await against((_, response) => void response.end(body), 'api GET /x/')
  expect(stdout).toBe(body)
})

test('--paginate refuses a response that is not a list', async () => {
  const [{ code, stderr } = { code: 0, stderr: '' }] = await enter(['api GET /api/projects/1/ --paginate'])
  expect([code, stderr]).toEqual([5, expect.stringContaining('no list.\nCheck the path and the base URL.\n')])
})

test.each([
  [`api DELETE ${project}/persons/3/ --field delete_events=false`, 2],
  [`api DELETE ${project}/persons/3/ --body '{"delete_events":false}'`, 2],
  [`api DELETE ${project}/persons/3/ --body '{"delete_events":null}'`, 2],
  [`api POST ${project}/persons/bulk_delete/ --body '{"ids":[3],"delete_events":0}'`, 2],
  [`api DELETE ${project}/persons/3/?keep_person=false`, 2],
  [`api DELETE ${project}/persons/3/ --param delete_recordings=0`, 2],
  [`api PATCH ${project}/persons/3/ --body '{"keep_person":false}'`, 2],
  [`api POST ${project}/persons/3/update_property/?_method=DELETE`, 2],
  [`api GET ${project}/persons/3/ --param _METHOD=delete`, 2],
  [`api PATCH ${project}/persons/3/ --field _method=DELETE`, 2],
  ['persons funnel --param _method=DELETE', 2],
  [`persons funnel --body '{"_Method":"DELETE"}'`, 2],
  ['persons values --param delete_events=false', 2],
  [`api DELETE ${project}/persons/3/?keep_person=true`, 0],
  [`api DELETE ${project}/persons/3/ --body '{"delete_events":true}'`, 0],
  [`api DELETE ${project}/persons/3/ --field delete_events=true`, 0],
])('a parameter that servers read as true must be true, and none overrides the method: %s', async (line, code) => {
  const ran = await against((_, response) => json(response, { success: true }), `${line} --project 1 --yes`)
  expect([ran.code, ran.asked.length]).toEqual([code, code === 0 ? 1 : 0])
})

test.each([
  `api PUT ${split} --field main_distinct_id=ada`,
  `api PATCH ${project}/persons/55/delete_property/ --body '{"$unset":"plan"}'`,
  `api POST ${project}/persons/55/delete_property.json/ --body '{"$unset":"plan"}'`,
  `api POST /api/environments/1/persons/5/split/ --field main_distinct_id=ada`,
  `api POST ${project}/persons/bulk_delete/ --field ids=1`,
])('every spelling of a request that deletes something prompts: %s', async line => {
  const ran = await against((_, response) => json(response, {}), `${line} --project 1`)
  expect(ran).toMatchObject({ code: 10, asked: [], stderr: expect.stringContaining('needs confirmation') })
})

test('control characters of a body do not reach a terminal', async () => {
  const { stdout } = await against((_, response) => void response.end('"\u001b[2J\u0007"'), 'api GET /x/', {
    columns: 80,
  })
  expect(stdout).toBe('"\\u001b[2J\\u0007"')
})

test('each page is requested with the same method and body, under the path prefix', async () => {
  const { stdout, asked } = await against(
    ({ query, path }, response) =>
      query.has('offset')
        ? json(response, { results: [3], next: null })
        : json(response, { results: [1, 2], next: `http://internal.example${path}?offset=2` }),
    `api POST /api/projects/1/persons/funnel/ --body '{"a":1.0}' --paginate`,
  )
  expect(JSON.parse(stdout)).toEqual([1, 2, 3])
  expect(asked.map(({ method, path, query, body }) => [method, path, String(query), body])).toEqual([
    ['POST', '/behind/api/projects/1/persons/funnel/', '', '{"a":1.0}'],
    ['POST', '/behind/api/projects/1/persons/funnel/', 'offset=2', '{"a":1.0}'],
  ])
})

test('without a terminal it refuses before any request, even for the organization', async () => {
  const { code, asked } = await against(
    (_, response) => json(response, {}),
    'api DELETE /api/organizations/{organization}/plugins/1/ --project 1',
  )
  expect([code, asked]).toEqual([10, []])
})

test('-o and --fields apply only to the items of --paginate', async () => {
  const list: Answer = (_, response) => json(response, { results: [{ id: 7, name: 'a' }], next: null })
  expect(await against(list, 'api GET /api/projects/ --fields name')).toMatchObject({ code: 2, asked: [] })
  const line = 'api GET /api/projects/ --paginate'
  expect((await against(list, `${line} --fields name -o csv`)).stdout).toBe('name\na\n')
  expect((await against(list, line)).stdout).toBe('[\n{"id":7,"name":"a"}\n]\n')
})

const ways = [
  '//elsewhere.example.com/',
  'https://elsewhere.example.com/',
  '/',
  '',
  '?a=b',
  '/a\tb/',
  '/a{b}/',
  '/%zz/',
]
const climbs = '. .. ..; ..;a=b %2e %2E%2e %252e %25252e. a%2Fb a%00b a%5cb a\\b a;b a%3Bb a#b %0a a%7F'

test.each([
  ...ways,
  ...climbs.split(' ').map(segment => `/api/${segment}/persons/`),
])('the path %j is refused before any request', async path => {
  const { code, asked } = await against((_, response) => json(response, {}), `api GET '${path}'`)
  expect([code, asked]).toEqual([2, []])
})

test.each([
  ['@elsewhere.example.com/?a=b c', '/behind/@elsewhere.example.com/', 'a=b+c'],
  ['javascript:x', '/behind/javascript:x/', ''],
  ['api/%61/.../a..b', '/behind/api/%61/.../a..b/', ''],
  ['/api/projects/{project}/persons?a=b', '/behind/api/projects/1/persons/', 'a=b'],
])('the path %j stays below the base URL', async (typed, path, query) => {
  const env = { ANALYTICS_PROJECT: '1' }
  const { asked } = await against((_, response) => json(response, {}), `api GET '${typed}'`, { env })
  expect(asked.map(one => [one.path, String(one.query)])).toEqual([[path, query]])
})

test.each([
  '--receipt r.json',
  '--reason T-12',
])('api refuses %s, because it writes no receipt and no job', async more => {
  const { code, asked } = await against(
    (_, response) => json(response, {}),
    `api DELETE /api/projects/2/ --yes ${more}`,
  )
  expect([code, asked]).toEqual([2, []])
})

test('a 404 after an attempt without a response is a 404', async () => {
  let requests = 0
  const answer: Answer = (_, response) => json(response, { detail: 'Not found.' }, requests++ === 0 ? 500 : 404)
  const { code, asked } = await against(answer, `api DELETE /api/projects/1/persons/3/ --yes`)
  expect([code, asked.length]).toEqual([3, 2])
})
