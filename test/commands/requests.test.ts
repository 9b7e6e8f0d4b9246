/**
 * The exact requests of each command: a row for each of the 44 endpoints, and the special cases of some. The
 * base URL has a path prefix, so the tests see that every path is below it.
 */
import nock from 'nock'
import { afterEach, describe, expect, test } from 'vitest'
import { endpoints } from '../../src/api/endpoints.ts'
import type { Dispatcher } from '../../src/host.ts'
import { organization } from '../../src/sandbox/projects.ts'
import { wordsOf } from '../../src/text/shell-words.ts'
import { type Call, calls, G, P } from '../calls.ts'
import { wire } from '../wire.ts'
import { newWorld } from '../world.ts'

const origin = 'https://analytics.example.com'
const env = {
  ANALYTICS_BASE_URL: `${origin}/behind`,
  ANALYTICS_API_KEY: 'the-key',
  ANALYTICS_PROJECT: '1',
  ANALYTICS_ORGANIZATION: organization.id,
}

/** A filter in the form of the service, percent-encoded. */
const filter = (...entries: readonly [string, string, string][]) =>
  encoded(entries.map(([key, operator, value]) => ({ key, value, operator, type: 'person' })))
const encoded = (value: unknown) => new URLSearchParams({ v: JSON.stringify(value) }).toString().slice(2)

const careful: readonly Call[] = [
  ['filters', 'persons list --search a@ --email B@c --distinct-id d', `GET ${P}?search=a%40&email=B%40c&distinct_id=d`],
  [
    'an equal property',
    'persons list --property plan=pro',
    `GET ${P}?properties=${filter(['plan', 'exact', 'pro'])}&limit=1000`,
  ],
  [
    'the same as --where',
    'persons list --where properties.plan=pro',
    `GET ${P}?properties=${filter(['plan', 'exact', 'pro'])}&limit=1000`,
  ],
  [
    'a part',
    'persons list --property plan~pr',
    `GET ${P}?properties=${filter(['plan', 'icontains', 'pr'])}&limit=1000`,
  ],
  [
    'one that is set',
    'persons list --property plan',
    `GET ${P}?properties=${filter(['plan', 'is_set', 'is_set'])}&limit=1000`,
  ],
  ...['plan!=pro', '!plan', 'n=3', 'n>1', 'd<=2026-02-01', 'a.b=c'].map(
    (typed): Call => [
      'what servers read in different ways',
      `persons list --property '${typed}'`,
      `GET ${P}?limit=1000`,
    ],
  ),
  [
    'a filter as it is',
    `persons list --properties '[{"key":"n","value":9007199254740993,"type":"person"}]'`,
    `GET ${P}?properties=${new URLSearchParams({ v: '[{"key":"n","value":9007199254740993,"type":"person"}]' }).toString().slice(2)}`,
  ],
  ['a small limit', 'persons list --limit 5', `GET ${P}?limit=5`],
  ['a large limit of persons', 'persons list --limit 5000', `GET ${P}?limit=1000`],
  ['a large limit of others', 'projects list --limit 5000', 'GET /api/projects/?limit=100'],
  ['large pages of persons with --all', 'persons list --all', `GET ${P}?limit=1000`],
  ['pages of others with --all', 'projects list --all', 'GET /api/projects/?limit=100'],
  ['a page of its own', 'plugins list --page-size 3 --offset 6', `GET ${G}?limit=3&offset=6`],
  ['a view with paging', 'persons trends --page-size 3 --offset 6', `GET ${P}trends/?limit=3&offset=6`],
  ['activity, a numbered page', 'persons activity --page-size 3 --param page=3', `GET ${P}activity/?page=3&limit=3`],
  ['a view with any parameter', 'persons trends --param a=b=c --param d=%', `GET ${P}trends/?a=b%3Dc&d=%25`],
  ['events, deleted', 'persons delete 7 --delete-events --yes', `DELETE ${P}7/?delete_events=true`],
  [
    'a value that is no text',
    'persons update-property 7 --key n --value-json 1.0',
    `POST ${P}7/update_property/?key=n&value=1.0`,
    '{"key":"n","value":1.0}',
  ],
  [
    'a null as the value of a property',
    'persons update-property 7 --key n --value-json null',
    `POST ${P}7/update_property/?key=n&value=null`,
    '{"key":"n","value":null}',
  ],
  [
    'a long value, in the body only',
    `persons update-property 7 --key n --value ${'ä'.repeat(2000)}`,
    `POST ${P}7/update_property/`,
    `{"key":"n","value":"${'ä'.repeat(2000)}"}`,
  ],
  ['a wiping split', 'persons split 7 --wipe-properties --yes', `POST ${P}7/split/`, '{}'],
  [
    'a whole body',
    `projects update 1 --body '{"x":9007199254740993}'`,
    'PATCH /api/projects/1/',
    '{"x":9007199254740993}',
  ],
  ['a null', 'plugins update 2 --set-json tag=null', `PATCH ${G}2/`, '{"tag":null}'],
  ['the raw door', 'api get api/projects/{project}/persons?a=b --param c=d', `GET ${P}?a=b&c=d`],
  [
    'the raw door with fields',
    'api PATCH /api/projects/{project}/ --field week_start_day=1 --field name=1',
    'PATCH /api/projects/1/',
    '{"week_start_day":1,"name":"1"}',
  ],
  ['@current bare, as people write it', 'persons get 7 --project @current', 'GET /api/projects/@current/persons/7/'],
  ['the organization in use', 'plugins list --organization @current', 'GET /api/organizations/@current/plugins/'],
  ['the raw door as it was typed', 'api GET /api/projects/%40current/', 'GET /api/projects/%40current/'],
  ['the raw door with @current', 'api GET /api/projects/{project}/ --project @current', 'GET /api/projects/@current/'],
  ['the raw door in an organization', 'api DELETE /api/organizations/{organization}/plugins/2/ --yes', `DELETE ${G}2/`],
]

interface Sent {
  readonly line: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

afterEach(() => {
  nock.cleanAll()
  nock.restore()
})

/** As servers respond: to a PATCH and a create with the record, to other changes with success. */
function answerTo(method: string, path: string, body: string): string {
  const [, id = '9', verb] = path.match(/\/(?:persons|plugins|event_definitions|projects)\/([^/]+)\/(\w+\/)?$/) ?? []
  if (method === 'get') return JSON.stringify({ id, distinct_ids: ['ada'], properties: {}, next: null, results: [] })
  if (method === 'post' && verb) return '{"success":true}'
  return body === '{}' ? `{"id":"${id}"}` : `{"id":"${id}",${body.slice(1)}`
}

/** Runs a command line against a service that accepts every request. */
async function sentBy(typed: string): Promise<Sent[]> {
  if (!nock.isActive()) nock.activate()
  const seen: Sent[] = []
  const dispatcher = wire()
  // nock reads a body as JSON, and so loses what a double cannot hold.
  const bodies: string[] = []
  const remembering: Dispatcher = {
    ...dispatcher,
    dispatch(options, handler) {
      bodies.push(String(options.body ?? ''))
      return dispatcher.dispatch(options, handler)
    },
  }
  for (const method of ['get', 'post', 'patch', 'delete'] as const) {
    const any = nock(origin, { encodedQueryParams: true }).persist()[method](/.*/)
    any.reply(function (uri) {
      const body = bodies.at(-1) ?? ''
      seen.push({ line: `${method.toUpperCase()} ${uri}`, headers: this.req.headers as Sent['headers'], body })
      if (method === 'delete') return [204]
      return [200, answerTo(method, new URL(uri, origin).pathname, body), { 'content-type': 'application/json' }]
    })
  }
  const { code, stderr } = await newWorld().run([...wordsOf(typed), '-q'], { env, dispatcher: remembering })
  expect([code, stderr]).toEqual([0, ''])
  return seen
}

describe.each([
  { name: 'endpoint', table: calls },
  { name: 'careful point', table: careful },
])('$name', ({ table }) => {
  for (const [name, typed, line, body] of table)
    test(`${name}: ${typed}`, async () => {
      const all = await sentBy(typed)
      // A split reads its person first.
      const [sent, ...more] = line.includes('/split/') ? all.filter(one => one.line.startsWith('POST')) : all
      expect([sent?.line.replace('/behind', ''), ...more]).toEqual([line])
      expect(sent?.body).toBe(body ?? '')
      expect(sent?.headers).toMatchObject({ authorization: 'Bearer the-key', 'user-agent': 'analytics/0.0.0-test' })
      expect(sent?.headers.accept).toMatch(/^application\/json\b/)
      expect(sent?.headers['content-type']).toBe(body === undefined ? undefined : 'application/json')
    })
})

test('each of the 44 endpoints has a row above, and a command other than api calls it', () => {
  const named = Object.entries(endpoints).flatMap(([group, own]) => Object.keys(own).map(name => `${group}.${name}`))
  expect(calls.map(([name]) => name)).toEqual(named)
  expect(calls.filter(([, typed]) => typed.startsWith('api '))).toEqual([])
})

test('every --key is deleted', async () => {
  const sent = await sentBy('persons delete-property 1 --key plan --key country --yes')
  expect(sent.map(({ body }) => JSON.parse(body).$unset)).toEqual(['plan', 'country'])
})
