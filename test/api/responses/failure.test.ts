/** What each error response means: one table of statuses and bodies, with exit code, sentence and code. */
import { expect, test } from 'vitest'
import { failureOf } from '../../../src/api/responses/failure.ts'
import type { Request, Response } from '../../../src/http/message.ts'
import { createSecrets } from '../../../src/secrets/secrets.ts'
import * as fc from '../../fast-check.ts'
import { accepting, startService } from '../../service.ts'

const host = 'https://analytics.example.com'
const key = 'phx_abcdefghijkl'
const secrets = createSecrets()
secrets.add(key)

type Headers = Readonly<Record<string, string>>

interface Asked extends Partial<Request> {
  readonly path?: string
}

function fault(status: number, body: unknown = '', headers: Headers = {}, asked: Asked = {}) {
  const { path = '/api/projects/?search=ada', ...rest } = asked
  const request = {
    method: 'GET',
    effect: 'read',
    destroys: false,
    headers: {},
    url: new URL(path, host),
    ...rest,
  } as const
  const response: Response = {
    status,
    headers,
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  }
  return failureOf(request, response, secrets)
}

const usual = { type: 'validation_error', code: 'required', detail: 'This field is required.', attr: 'name' }
const swapped = { ...usual, code: usual.detail, detail: usual.code }
const page = '<!DOCTYPE html><title>Sign in</title>'
const html = { 'content-type': 'text/html' }
const login = { 'www-authenticate': 'Basic realm="Staff"' }
const foreign = 'not-the-service'
const reply = 'a proxy or firewall responded with'
const unreached = (status: number) => `The request did not reach the server (${status}): ${reply}`
const unsaid = 'The server rejected the request (400)'

test.each<[status: number, body: unknown, headers: Headers, exit: number, message: string, code?: string]>([
  // The status decides.
  [400, '', {}, 5, unsaid],
  [401, '', {}, 4, 'The server rejected the key (401)'],
  [402, { detail: 'Upgrade.' }, {}, 5, 'The plan or license of the server does not include this (402): Upgrade'],
  [403, { detail: 'Not for you.' }, {}, 4, 'Not allowed (403): Not for you'],
  [404, '', {}, 3, '/api/projects/ was not found'],
  [405, '', {}, 5, 'The server rejected the request (405)'],
  [408, '', {}, 7, 'The server failed (408)'],
  [409, { detail: 'There.' }, {}, 5, 'The server rejected the request (409): There'],
  [413, '', {}, 5, 'The server rejected the request (413)'],
  [421, '', {}, 7, 'The server failed (421)'],
  [425, '', {}, 7, 'The server failed (425)'],
  [429, '', {}, 6, 'Too many requests (429)'],
  [500, usual, {}, 7, 'The server failed (500): name: This field is required', 'required'],
  [502, page, html, 7, `The server failed (502): ${reply} a web page`],
  [524, 'error code: 524', {}, 7, 'The server failed (524): error code: 524'],
  // Which program sent the response.
  [401, page, html, 4, `${unreached(401)} a web page`, foreign],
  [403, `\n${page}`, {}, 4, `${unreached(403)} a web page`, foreign],
  [404, page, html, 5, `${unreached(404)} a web page`, foreign],
  [413, page, html, 5, `${unreached(413)} a web page`, foreign],
  [403, 'No entry', {}, 4, `${unreached(403)} plain text: No entry`, foreign],
  [403, page, { ...html, 'cf-mitigated': 'challenge' }, 4, `${unreached(403)} a challenge (cf-mitigated)`, foreign],
  [401, '', login, 4, `${unreached(401)} a login prompt (WWW-Authenticate)`, foreign],
  [401, '', { 'www-authenticate': 'Bearer' }, 4, 'The server rejected the key (401)'],
  [200, page, html, 5, 'Unexpected response: a web page', foreign],
  [304, '', {}, 5, 'Unexpected response: status 304', foreign],
  [302, '', { location: 'https://sso.example.com/login?next=/' }, 5, 'The server redirects to https://sso.example.com'],
  [301, '', { location: 'https:///' }, 5, 'The server redirects without a Location header'],
  // What the body says.
  [400, usual, {}, 5, `${unsaid}: name: This field is required`, 'required'],
  [400, swapped, {}, 5, `${unsaid}: name: This field is required`, 'required'],
  [404, swapped, {}, 3, '/api/projects/ was not found: This field is required', 'required'],
  [400, { code: 'required', detail: 'required' }, {}, 5, `${unsaid}: required`, 'required'],
  [400, { message: 'Query failed', detail: 'Unknown column.' }, {}, 5, `${unsaid}: Unknown column`],
  [400, { error: { message: 'Nope', code: 17 } }, {}, 5, `${unsaid}: Nope`],
  [400, { timezone: ['"x" is no choice.'], name: ['No.'] }, {}, 5, `${unsaid}: timezone: "x" is no choice`],
  [400, { config: { rate: ['Too high.'] } }, {}, 5, `${unsaid}: config: rate: Too high`],
  [400, ['First.', 'Second.'], {}, 5, `${unsaid}: First`],
  [400, 'Something went wrong.\n', {}, 5, `${unsaid}: Something went wrong`],
  [400, { detail: null, code: null }, {}, 5, unsaid],
  [400, { detail: 'The server rejected the request.' }, {}, 5, unsaid],
  [400, page, html, 5, `${unreached(400)} a web page`, foreign],
  // A code is short, in lower case: any other text could be a part of the key.
  [400, { code: 'not_found', detail: 'x' }, {}, 5, `${unsaid}: x`, 'not_found'],
  [400, { code: 'a'.repeat(41), detail: 'x' }, {}, 5, `${unsaid}: x`],
  [400, { code: key, detail: key }, {}, 5, `${unsaid}: ***`],
  [400, { code: 'phx_0123456789', detail: 'x' }, {}, 5, `${unsaid}: x`],
  [400, { code: 'No such thing.', detail: 'Gone.' }, {}, 5, `${unsaid}: Gone`],
])('%i %j %j', (status, body, headers, exit, message, code) => {
  const { details, ...failure } = fault(status, body, headers)
  expect([fault(status, body, headers).message, failure.exit, details.code]).toEqual([message, exit, code])
  expect(details).toMatchObject({
    status,
    method: 'GET',
    url: `${host}/api/projects/`,
    retryable: exit === 6 || exit === 7,
    hint: expect.stringMatching(/./),
  })
  if (code === foreign && status >= 400) expect(`${message} ${details.hint}`).not.toMatch(/\bkey\b|base URL/i)
})

test.each([
  ['read', 500, {}, true],
  ['set', 500, {}, true],
  ['act', 500, {}, false],
  ['act', 503, {}, false],
  ['act', 503, { 'retry-after': '5' }, true],
  ['act', 429, {}, true],
] as const)('a request that is %s and failed with %i may be repeated unless it may have been done: %j', (...row) => {
  const [effect, status, headers, retryable] = row
  const { details } = fault(status, '', headers, { effect })
  expect([details.retryable, details.hint?.includes('may have been made')]).toEqual([retryable, !retryable])
})

test.each([
  [{ 'retry-after': '30, 90.5, 60' }, '', 91],
  [{ 'retry-after': '9'.repeat(400) }, '', undefined],
  [{ date: 'Fri, 15 May 2026 12:00:00 GMT', 'retry-after': 'Fri, 15 May 2026 12:01:00 GMT' }, '', 60],
  [{}, { detail: 'Request was throttled. Expected available in 9 seconds.' }, 9],
  [{}, '', undefined],
] as const)('a 429 says how long to wait, and which options help: %j %j', (headers, body, seconds) => {
  const when = seconds === undefined ? 'Try again later' : `Try again in ${seconds} s`
  const hint = `${when}. Use --max-wait to wait longer, --retries to retry more, or --rate to send more slowly`
  expect(fault(429, body, headers).details).toMatchObject({ retryAfterSeconds: seconds, hint })
})

const scope = 'Check the id in the command'
const object = 'Check the id, and the project or organization that it belongs to'

test.each([
  ['/api/projects/1/persons/42/', 'Person 42 of project 1 was not found', object],
  ['/behind/api/projects/@current/persons/42/activity/', 'Person 42 of project @current was not found', object],
  ['/api/projects/%40current/persons/', 'Project @current was not found', scope],
  ['/api/projects/9/', 'Project 9 was not found', scope],
  ['/api/organizations/@current/plugins/3/source/', 'Plugin 3 of organization @current was not found', object],
  ['/api/projects/1/event_definitions/7/', 'Event definition 7 of project 1 was not found', object],
  ['/api/organizations/@current/plugins/', 'Organization @current was not found', scope],
  [
    '/api/projects/1/persons/funnel/correlation/',
    'Project 1, or persons/funnel/correlation in it, was not found',
    scope,
  ],
  ['/api/projects/1/persons/cohorts/?person_id=99', 'Person 99 of project 1 was not found', object],
  ['/api/projects/', '/api/projects/ was not found', 'Check the path'],
  ['/api/projects/1/elsewhere/2/', '/api/projects/1/elsewhere/2/ was not found', 'Check the path'],
])('a 404 names the missing object: %s', (path, message, hint) => {
  const failure = fault(404, { detail: 'Not found.' }, {}, { path })
  expect([failure.message, failure.details.isMissingObject]).toEqual([message, true])
  expect(failure.details.hint?.startsWith(hint)).toBe(true)
  expect(fault(404, { detail: 'No more of it.' }, {}, { path }).message).toBe(`${message}: No more of it`)
  const message404 = `${path.split('?')[0]} was not found`
  expect(fault(404, '', {}, { path })).toMatchObject({ message: message404, details: { isMissingObject: false } })
})

test('every error message is one short line without control characters', () => {
  const body = fc.oneof(
    fc.string({ unit: fc.character, maxLength: 2000 }),
    fc.jsonValue(),
    fc.string({ unit: fc.character }).map(detail => ({ detail, code: detail, attr: detail })),
  )
  fc.assert(
    fc.property(fc.integer({ min: 300, max: 599 }), body, fc.string({ unit: fc.character }), (status, sent, id) => {
      const failure = fault(status, sent, { location: id, 'x-request-id': id })
      const { code = '', attr = '', requestId = '' } = failure.details
      for (const text of [failure.message, code, attr, requestId]) {
        expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u)
        expect([...text].length).toBeLessThan(520)
      }
    }),
  )
  for (const character of ['.', ' ', ':', '\\', '&#0', '%25']) {
    expect(fault(400, { detail: `${character.repeat(300_000)}x` }).message.length).toBeLessThan(1000)
  }
})

test.each<[string, number, Headers, string, number]>([
  ['pages of a gateway', 400, html, page, 5],
  ['a method that the service does not offer', 405, {}, '{"detail":"Method \\"DELETE\\" not allowed."}', 5],
  ['challenges that look like success', 202, { 'cf-mitigated': 'challenge' }, '', 5],
])('a run stops at the first response that concerns all targets: %s', async (_, status, headers, body, exit) => {
  const { run, sent } = await startService((asked, response) =>
    asked.method === 'DELETE' ? void response.writeHead(status, headers).end(body) : accepting(asked, response),
  )
  const { code } = await run('persons delete 1 2 3 4 5 --yes --concurrency 1')
  expect([code, sent().length]).toEqual([exit, 1])
})
