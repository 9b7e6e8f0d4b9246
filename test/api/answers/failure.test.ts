import { describe, expect, test } from 'vitest'
import { failureOf } from '../../../src/api/answers/failure.ts'
import { AuthError, NotFoundError, RateLimitedError, RejectedError, UnavailableError } from '../../../src/errors.ts'
import type { Request } from '../../../src/http/message.ts'
import { createSecrets } from '../../../src/secrets/secrets.ts'
import * as fc from '../../fast-check.ts'

const request: Asked = {
  method: 'GET',
  url: new URL('https://analytics.example.com/api/projects/1/persons/?email=ada%40example.com'),
}
type Asked = Pick<Request, 'method' | 'url'> & Partial<Pick<Request, 'effect'>>

const json = { 'content-type': 'application/json' }
const html = { 'content-type': 'text/html; charset=utf-8' }

function fault(status: number, body: unknown = '', headers: Record<string, string> = json, from = request) {
  return failureOf(
    { effect: 'read', ...from },
    { status, headers },
    typeof body === 'string' ? body : JSON.stringify(body),
    createSecrets(),
  )
}

test.each([
  [400, RejectedError, 5],
  [401, AuthError, 4],
  [402, RejectedError, 5],
  [403, AuthError, 4],
  [404, NotFoundError, 3],
  [405, RejectedError, 5],
  [407, RejectedError, 5],
  [408, UnavailableError, 7],
  [409, RejectedError, 5],
  [421, UnavailableError, 7],
  [425, UnavailableError, 7],
  [429, RateLimitedError, 6],
  [500, UnavailableError, 7],
  [502, UnavailableError, 7],
  [524, UnavailableError, 7],
  [301, RejectedError, 5],
])('%i ends in the exit code of its class, and says what to do', (status, Class, exit) => {
  const failure = fault(status)
  expect(failure).toBeInstanceOf(Class)
  expect(failure.exit).toBe(exit)
  expect(failure.facts).toMatchObject({
    status,
    method: 'GET',
    url: 'https://analytics.example.com/api/projects/1/persons/',
    retryable: Class === RateLimitedError || Class === UnavailableError,
    hint: expect.stringMatching(/./),
  })
})

test.each([
  ['read', 500, json, true],
  ['set', 500, json, true],
  ['act', 500, json, false],
  ['act', 502, html, false],
  ['act', 503, json, false],
  ['act', 503, { ...json, 'retry-after': '5' }, true],
  ['act', 429, json, true],
] as const)('a request that is %s and failed with %i may be repeated unless it may have been done: %j', (...row) => {
  const [effect, status, headers, retryable] = row
  const { facts } = fault(status, '', headers, { ...request, effect })
  expect([facts.retryable, facts.hint?.includes('not known')]).toEqual([retryable, !retryable])
})

test.each([
  ['/api/projects/99/', 'Check the id in the command, ANALYTICS_PROJECT or the profile; '],
  ['/api/projects/99/persons/', 'Check the id in the command, ANALYTICS_PROJECT or the profile; '],
  ['/api/organizations/@current/plugins/', 'Check the id in the command, ANALYTICS_ORGANIZATION or the profile'],
  ['/api/projects/1/persons/5/', 'Check the id, and the project or organization that it belongs to'],
])('where the id of what is missing may come from: %s', (path, hint) => {
  const failure = fault(404, { detail: 'Not found.' }, json, {
    method: 'GET',
    url: new URL(path, 'https://analytics.example.com'),
  })
  expect(failure.facts.hint?.startsWith(hint)).toBe(true)
})

test('a refusal without a reason is not said to have one', () => {
  expect(fault(400).facts.hint).toBe('The service gave no reason; the same request would be refused again')
  expect(fault(400, { detail: 'No.' }).facts.hint).toMatch(/^Correct what/)
  expect(fault(413).facts.hint).toMatch(/^Correct what/)
})

describe('every shape of an error is read', () => {
  test.each([
    [
      'the usual one',
      { type: 'validation_error', code: 'required', detail: 'This field is required.', attr: 'name' },
      {
        message: 'The service refused the request (400): name: This field is required',
        code: 'required',
        attr: 'name',
      },
    ],
    [
      'code and detail the other way round',
      { code: 'No such thing here.', detail: 'not_found' },
      { message: 'The service refused the request (400): No such thing here', code: 'not_found' },
    ],
    [
      'message and detail',
      { message: 'Query failed', detail: 'Unknown column.' },
      { message: 'The service refused the request (400): Query failed: Unknown column' },
    ],
    [
      'only a type',
      { type: 'invalid_request', detail: 'No.' },
      { message: 'The service refused the request (400): No', code: 'invalid_request' },
    ],
    [
      'faults by field',
      { timezone: ['"x" is not a valid choice.'], week_start_day: ['A number, please.'] },
      {
        message:
          'The service refused the request (400): timezone: "x" is not a valid choice. week_start_day: A number, please',
        attr: 'timezone',
      },
    ],
    [
      'faults within fields',
      { config: { rate: ['Too high.'] } },
      { message: 'The service refused the request (400): config: rate: Too high', attr: 'config' },
    ],
    [
      'a list',
      ['First.', { detail: 'Second.', code: 'second' }],
      { message: 'The service refused the request (400): First. Second', code: 'second' },
    ],
    [
      'a list of numbers',
      { detail: Buffer.from('phx_Zq9Lm2Vt'), code: 'no_key' },
      { message: 'The service refused the request (400): type: Buffer', code: 'no_key', attr: 'type' },
    ],
    ['error', { error: 'Nope' }, { message: 'The service refused the request (400): Nope' }],
    [
      'an error object',
      { error: { message: 'Nope', code: 17 } },
      { message: 'The service refused the request (400): Nope', code: '17' },
    ],
    [
      'errors',
      { errors: [{ detail: 'Nope.', attr: 'tags' }] },
      { message: 'The service refused the request (400): tags: Nope', attr: 'tags' },
    ],
    [
      'plain text',
      'Something went wrong.\n',
      { message: 'The service refused the request (400): Something went wrong' },
    ],
    ['nothing', '', { message: 'The service refused the request (400)' }],
    ['nothing of use', { detail: null, code: null }, { message: 'The service refused the request (400)' }],
    [
      'a web page',
      '<!DOCTYPE html><h1>Oops</h1>',
      {
        message: 'The request did not reach the service (400): a proxy or firewall answered with a web page',
        code: 'not-the-service',
      },
    ],
    ['half of an object', '{"detail": "No', { message: 'The service refused the request (400): {"detail": "No' }],
  ])('%s', (_, body, { message, ...facts }) => {
    const failure = fault(400, body)
    expect(failure.message).toBe(message)
    expect({ code: failure.facts.code, attr: failure.facts.attr }).toEqual({
      code: undefined,
      attr: undefined,
      ...facts,
    })
  })
})

test.each([
  ['/api/api/projects/1/persons/', 'https://analytics.example.com/'],
  ['/behind/api/api/projects/', 'https://analytics.example.com/behind/'],
  ['/api/projects/1/api/projects/1/persons/42/', 'https://analytics.example.com/'],
  ['/api/projects/api/organizations/@current/plugins/', 'https://analytics.example.com/'],
])('a base URL with /api at its end is named: %s', (path, base) => {
  const from = { method: 'GET', url: new URL(path, request.url) }
  const hint = `Check the base URL: perhaps it should be ${base}`
  expect(fault(404, { detail: 'Not found.' }, json, from).facts.hint).toBe(`${hint}; if it is right, check the id`)
  expect(fault(404, { detail: 'Endpoint not found.' }, json, from).facts.hint).toBe(hint)
  expect(fault(404, '<html>', html, from).facts.hint).toBe(hint)
  expect(fault(200, '<html>', html, from).facts.hint).toBe(hint)
})

test.each(['/api/behind/api/projects/1/persons/42/', '/rapi/api/projects/1/'])('a prefix is a prefix: %s', path => {
  const from = { method: 'GET', url: new URL(path, request.url) }
  expect(fault(404, { detail: 'Not found.' }, json, from).facts.hint).toMatch(/^Check the id\b/)
})

test('a detail that repeats the sentence is not said twice', () => {
  expect(fault(400, { detail: 'The service refused the request.' }).message).toBe(
    'The service refused the request (400)',
  )
})

test.each([
  ['/api/projects/1/persons/42/', 'Person 42 of project 1 was not found'],
  ['/behind/api/projects/@current/persons/42/activity/', 'Person 42 of project @current was not found'],
  ['/api/projects/%40current/persons/', 'Project @current was not found'],
  ['/api/projects/9/', 'Project 9 was not found'],
  ['/api/organizations/@current/plugins/3/source/', 'Plugin 3 of organization @current was not found'],
  ['/api/projects/1/event_definitions/7/', 'Event definition 7 of project 1 was not found'],
  ['/api/organizations/@current/plugins/', 'Organization @current was not found'],
  ['/api/projects/1/persons/lifecycle/', 'Project 1, or persons/lifecycle in it, was not found'],
  ['/api/projects/1/persons/funnel/correlation/', 'Project 1, or persons/funnel/correlation in it, was not found'],
  ['/api/projects/1/persons/activity/', 'Project 1, or persons/activity in it, was not found'],
  ['/api/projects/1/persons/abc/', 'Project 1, or persons/abc in it, was not found'],
  [
    '/api/organizations/@current/plugins/repository/',
    'Organization @current, or plugins/repository in it, was not found',
  ],
  ['/api/projects/1/persons/cohorts/?person_id=99', 'Person 99 of project 1 was not found'],
  ['/api/projects/', 'Not found (404)'],
  ['/api/projects/1/elsewhere/2/', 'Not found (404)'],
])('a 404 names what was not found: %s', (path, message) => {
  const url = new URL(path, 'https://analytics.example.com')
  expect(fault(404, { detail: 'Not found.' }, json, { method: 'GET', url }).message).toBe(message)
  expect(fault(404, '', json, { method: 'GET', url }).message).toBe('Not found (404)')
  const sentence = fault(404, { detail: 'No more of it.' }, json, { method: 'GET', url }).message
  expect(sentence).toBe(`${message}: No more of it`)
})

test('the request id is kept for whoever runs the service', () => {
  expect(fault(500, '', { ...json, 'x-request-id': 'r-17' }).facts.requestId).toBe('r-17')
})

test.each([
  ['seconds', { ...json, 'retry-after': '17' }, '', 17],
  ['several times', { ...json, 'retry-after': '30, 90.5, 60' }, '', 91],
  ['more than a number holds', { ...json, 'retry-after': '9'.repeat(400) }, '', undefined],
  ['more than a number holds, in a sentence', json, `Expected available in ${'9'.repeat(400)} seconds.`, undefined],
  ['thousands of them', { ...json, 'retry-after': '2765' }, '', 2765],
  [
    'a date',
    { ...json, date: 'Fri, 15 May 2026 12:00:00 GMT', 'retry-after': 'Fri, 15 May 2026 12:01:00 GMT' },
    '',
    60,
  ],
  ['a sentence', json, { detail: 'Request was throttled. Expected available in 9 seconds.' }, 9],
  ['nothing', json, '', undefined],
])('a 429 knows how long to wait: %s', (_, headers, body, seconds) => {
  const failure = fault(429, body, headers)
  expect(failure.facts.retryAfter).toBe(seconds)
  expect(failure.facts.hint).toContain(seconds === undefined ? 'later' : `${seconds} s`)
})

test.each([
  [
    'https://analytics.example.com/api/projects/',
    'http://analytics.example.com',
    /The service is at https:\/\/analytics.example.com/,
    /use https:\/\/analytics.example.com/,
  ],
  [
    'https://sso.example.com/login?next=/api/',
    'https://analytics.example.com',
    /log-in page at https:\/\/sso.example.com$/,
    /base URL/,
  ],
  ['/accounts/login/', 'https://analytics.example.com', /log-in page at https:\/\/analytics.example.com$/, /base URL/],
  [
    '//other.example.com/',
    'https://analytics.example.com',
    /another address at https:\/\/other.example.com$/,
    /base URL/,
  ],
  [
    '/api/projects',
    'https://analytics.example.com',
    /redirects to the same path without its slash \(302\)$/,
    /ends in a slash/,
  ],
  ['http://[', 'https://analytics.example.com', /redirects without an address/, /base URL/],
])('a redirect to %s is reported, not followed', (location, base, message, hint) => {
  const failure = fault(302, '', { location }, { ...request, url: new URL('/api/projects/', base) })
  expect(failure).toBeInstanceOf(RejectedError)
  expect(failure.message).toMatch(message)
  expect(failure.facts.hint).toMatch(hint)
})

test('an answer that nothing changed, which nobody asked for, is not the service', () => {
  expect(fault(304)).toMatchObject({
    exit: 5,
    message: 'Unexpected response: status 304',
    facts: { code: 'not-the-service' },
  })
})

test('a web page is not the service, whatever its status', () => {
  expect(fault(200, '<html></html>', html)).toMatchObject({
    exit: 5,
    message: expect.stringContaining('web page'),
    facts: { hint: 'Check the base URL' },
  })
  expect(fault(404, '<html></html>', html)).toMatchObject({ exit: 5, facts: { hint: expect.stringMatching(/^Ask/) } })
  expect(fault(502, '<html><title>Bad gateway</title></html>', html)).toMatchObject({
    exit: 7,
    facts: { retryable: true },
  })
})

test('a key that the service repeats is not repeated further', () => {
  expect(fault(401, { detail: 'No such key: Bearer phx_0123456789abcdef.' }).message).not.toContain('phx_')
})

test('whatever a server sends, the message is one short line that a terminal can show', () => {
  const body = fc.oneof(
    fc.string({ unit: fc.character, maxLength: 2000 }),
    fc.jsonValue(),
    fc.string({ unit: fc.character }).map(detail => ({ detail, code: detail, attr: detail })),
  )
  fc.assert(
    fc.property(fc.integer({ min: 300, max: 599 }), body, fc.string({ unit: fc.character }), (status, sent, id) => {
      const failure = fault(status, sent, { ...json, location: id, 'x-request-id': id })
      const { code = '', attr = '', requestId = '' } = failure.facts
      for (const text of [failure.message, code, attr, requestId]) {
        expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u)
        expect([...text].length).toBeLessThan(520)
      }
    }),
  )
})

test.each(['.', ' ', ':', '\\', '&#0', '%25'])('a message of a megabyte of %j is read in a moment', character => {
  const long = `${character.repeat(300_000)}x`
  expect(fault(400, { message: long, detail: 'Not today' }).message.length).toBeLessThan(1000)
  expect(fault(400, long).message.length).toBeLessThan(1000)
})
