import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Client, createClient } from '../../../src/api/client.ts'
import { eventDefinitions, persons, plugins, projects } from '../../../src/api/endpoints.ts'
import { Failure, notTheService } from '../../../src/errors.ts'
import { collectAtMost } from '../../../src/files/read.ts'
import type { Request, Response } from '../../../src/http/message.ts'
import { createSecrets } from '../../../src/secrets/secrets.ts'

const uuid = '0190b7e0-AAAA-4000-8000-000000000042'

/** A client whose service gives one answer to everything. */
function clientOf(status: number, body: string | Buffer, type?: string): Client {
  async function* chunks() {
    if (body.length > 0) yield Buffer.from(body)
  }
  const headers: Response['headers'] = type === undefined ? {} : { 'content-type': type }
  return createClient(new URL('http://localhost/'), async () => ({ status, headers, body: chunks() }), createSecrets())
}

async function verdict(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'done'
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { code, fromService } = error.facts
    return [error.name, code, fromService === true ? 'from the service' : undefined].filter(Boolean).join(' ')
  }
}

const person = { project_id: '1', id: '42' }
const foreign = `rejected ${notTheService}`
const other = `rejected ${notTheService}`

/** What each answer means to: deleting one of many · updating one · reading the record 42. */
const table: readonly (readonly [what: string, number, string | Buffer, string | undefined, string, string, string])[] =
  [
    ['nothing', 204, '', undefined, 'done', 'done', foreign],
    ['nothing, accepted', 202, '', 'application/json', 'done', 'done', foreign],
    ['nothing, called a web page', 204, '', 'text/html; charset=utf-8', 'done', 'done', foreign],
    ['white space, called a web page', 200, '\n', 'text/html', 'done', 'done', foreign],
    ['a large web page', 200, `<html>${' '.repeat(2 ** 20)}`, 'text/html', foreign, foreign, foreign],
    ['white space', 200, ' \r\n', 'application/json', 'done', 'done', foreign],
    ['the record', 200, '{"id":42,"name":"x"}', 'application/json', 'done', 'done', 'done'],
    ['the record, without a type', 200, '{"id":42}', undefined, 'done', 'done', 'done'],
    ['the record behind a byte order mark', 200, '\ufeff{"id":42}', undefined, 'done', 'done', 'done'],
    ['a record that holds detail', 200, '{"id":42,"properties":{},"detail":"x"}', undefined, 'done', 'done', 'done'],
    ['a plugin that holds error', 200, '{"id":42,"tag":"1","error":"x"}', undefined, 'done', 'done', 'done'],
    ['a record without an error', 200, '{"id":42,"name":"x","error":null}', undefined, 'done', 'done', 'done'],
    ['an error about the id', 200, '{"id":42,"name":"x","error":"x"}', undefined, foreign, foreign, 'done'],
    ['an error with an id', 200, '{"id":"req-8f3","error":"x"}', undefined, foreign, foreign, other],
    ['a failed task', 202, '{"id":42,"status":"failed"}', undefined, foreign, foreign, 'done'],
    ['a status with a UUID', 200, `{"uuid":"${uuid}","status":500,"message":"x"}`, undefined, foreign, foreign, other],
    ['an error of a function', 200, '{"errorMessage":"x","errorType":"y"}', undefined, foreign, foreign, foreign],
    ['another record', 200, '{"id":4711}', 'application/json', 'done', other, other],
    ['another record, accepted', 202, '{"id":4711}', undefined, 'done', 'done', other],
    ['another person', 200, '{"id":4711,"distinct_ids":[]}', undefined, ...repeat(other)],
    ['a record without an id', 200, '{"name":"x"}', 'application/json', 'done', 'done', foreign],
    ['success', 201, '{"success":true}', 'application/json', 'done', 'done', foreign],
    ['null', 200, 'null', 'application/json', 'done', foreign, foreign],
    ['null, accepted', 202, 'null', 'application/json', 'done', 'done', foreign],
    ['a list', 200, '[{"id":42}]', 'application/json', ...repeat(foreign)],
    ['a list of errors alone', 200, '[{"detail":"No.","code":"permission_denied"}]', undefined, ...repeat(foreign)],
    ['a list of words, accepted', 202, '["You do not have permission"]', undefined, ...repeat(foreign)],
    ['an empty list', 200, '[]', 'application/json', 'done', foreign, foreign],
    ['an empty list, accepted', 202, ' [ ]', 'application/json', 'done', 'done', foreign],
    ['not deleted', 200, '{"deleted":false}', undefined, ...repeat(foreign)],
    ['not well, accepted', 202, '{"ok":false,"reason":"x"}', undefined, ...repeat(foreign)],
    ['a record that says it is not deleted', 200, '{"id":42,"tags":[],"deleted":false}', undefined, ...repeat('done')],
    ['deleted', 200, '{"deleted":true,"ok":true}', undefined, 'done', 'done', foreign],
    ['an empty object', 200, '{}', undefined, 'done', 'done', foreign],
    ['a web page', 200, '<html>Welcome</html>', 'text/html; charset=utf-8', foreign, foreign, foreign],
    ['a web page in disguise', 200, '<!doctype html>', 'application/json', foreign, foreign, foreign],
    ['plain text', 200, 'OK', 'text/plain', foreign, foreign, foreign],
    ['bare text', 200, '"OK"', 'application/json', foreign, foreign, foreign],
    ['true', 200, 'true', 'application/json', foreign, foreign, foreign],
    ['a number', 200, '1', 'application/json', foreign, foreign, foreign],
    ['half of JSON', 200, '{"id":42', 'application/json', foreign, foreign, foreign],
    ['almost JSON', 200, '{"id":42,}', 'application/json', foreign, foreign, foreign],
    [
      'bytes that are not UTF-8',
      200,
      Buffer.from('{"id":42,"name":"\xff"}', 'latin1'),
      undefined,
      foreign,
      foreign,
      foreign,
    ],
    [
      'an error',
      200,
      '{"type":"server_error","code":"x","detail":"No.","attr":null}',
      undefined,
      foreign,
      foreign,
      foreign,
    ],
    ['only a detail', 200, '{"detail":"Not found."}', undefined, foreign, foreign, foreign],
    ['only an error', 200, '{"error":"No upstream"}', undefined, foreign, foreign, foreign],
    ['an error object', 200, '{"error":{"code":5}}', undefined, foreign, foreign, foreign],
    ['an error with more', 200, '{"status":404,"error":"Not Found","path":"/x"}', undefined, ...repeat(foreign)],
    ['a detail with more', 200, '{"detail":"Not found.","instance":"x"}', undefined, ...repeat(foreign)],
    ['a list of errors', 200, '{"errors":[{"detail":"No."}]}', undefined, ...repeat(foreign)],
    ['a task without errors', 202, '{"task":"x","error":null,"errors":[]}', undefined, 'done', 'done', foreign],
    ['no success, with a reason', 200, '{"success":false,"reason":"x"}', undefined, ...repeat(foreign)],
    ['an error as status', 200, '{"status":"error","message":"x"}', undefined, foreign, foreign, foreign],
    ['a number as status', 200, '{"title":"Forbidden","status":403}', undefined, foreign, foreign, foreign],
    ['a task with a status', 202, '{"status":"queued","message":"x"}', undefined, 'done', 'done', foreign],
    ['no success', 200, '{"success":false}', undefined, foreign, foreign, foreign],
    ...[
      '{"statusCode":404,"message":"Not Found"}',
      '{"statusCode":500,"body":"x"}',
      '{"code":403,"message":"Forbidden"}',
      '{"code":"404"}',
      '{"success":"false"}',
      '{"Error":"AccessDenied"}',
      '{"fault":{"faultstring":"x"}}',
      '{"errorCode":"E1","errorText":"x"}',
      '{"ERROR_MESSAGE":"x"}',
      '{"result":"error"}',
      '{"status":"not_found"}',
      '{"deleted":"false"}',
      '{"ok":0}',
      '{"message":"Forbidden"}',
      '{"message":"The person was not deleted","request_id":"7"}',
      '{"message":"Service Unavailable","status":"UNAVAILABLE"}',
      '{"code":5,"message":"Not Found","details":[]}',
      '{"type":"about:blank","title":"Forbidden"}',
      '{"msg":"not authorized"}',
      '{"message":"Deletion denied"}',
      '{"message":"Deletion is disabled for this project"}',
      '{"message":"Person deletion requires the scope person:write"}',
      '{"message":"Deletion request rejected"}',
      '{"message":"Done. 1 failed"}',
      '{"message":"Deleted: 0, failed: 1"}',
      '{"message":"OK. The person was not found"}',
      '{"message":"The service is being started"}',
      '{"message":"Deletion was started, and failed"}',
      '{"status":200,"message":"Forbidden"}',
      '{"code":0,"message":"Access denied"}',
      '{"status":"pending","message":"Unknown route"}',
      '{"status":"processing","message":"Request timed out"}',
      '{"message":"Nothing deleted"}',
      '{"message":"0 persons deleted"}',
      '{"error_description":"x"}',
    ].map(body => ['an error of a gateway', 200, body, undefined, ...repeat(foreign)] as const),
    ...[
      '{"message":"Person deleted"}',
      '{"message":"Deletion started"}',
      '{"message":"Success: no errors"}',
      '{"title":"x","status":"ok"}',
      '{"message":"Deletion has been requested"}',
      '{"message":"Deletion in progress"}',
      '{"message":"Marked for deletion"}',
      '{"message":"Success, without errors"}',
      '{"message":"Updated. No change required"}',
      '{"code":204,"message":"No Content"}',
      '{"status":"deleted","message":"Person 2"}',
      '{"code":0,"msg":""}',
      '{"code":"success","message":null}',
      '{"code":200,"message":"Request received"}',
      '{"status":"pending","reason":"gdpr","type":"deletion"}',
      '{"status":"in_progress","message":"Working on it"}',
      '{"code":0,"message":"\u6210\u529f"}',
    ].map(body => ['a remark that it was done', 200, body, undefined, 'done', 'done', foreign] as const),
    ...['{"errorCode":"0"}', '{"error_code":"NONE","status":"ok"}', '{"exception":"none"}'].map(
      body => ['no error', 200, body, undefined, 'done', 'done', foreign] as const,
    ),
    ['a result', 202, '{"result":"queued","code":0}', undefined, 'done', 'done', foreign],
    ['404', 404, '{"detail":"Not found."}', undefined, ...repeat('not-found from the service')],
    [
      '404 behind a byte order mark',
      404,
      '\ufeff{"detail":"Not found."}',
      undefined,
      ...repeat('not-found from the service'),
    ],
    [
      '404 with a code',
      404,
      '{"detail":"No.","code":"not_found"}',
      undefined,
      ...repeat('not-found not_found from the service'),
    ],
    ['404 with a message', 404, '{"message":"Not Found"}', 'application/json', ...repeat('not-found')],
    ['404 in plain text', 404, 'no route', 'text/plain', ...repeat('not-found')],
    ['404 without a word', 404, '', undefined, ...repeat('not-found')],
    ['404 as a page', 404, '<html>', 'text/html', ...repeat(foreign)],
    ['404 as a page in disguise', 404, '<!DOCTYPE html>', undefined, ...repeat(foreign)],
    ['a redirect', 302, '', undefined, ...repeat('rejected')],
    ['401', 401, '{"detail":"Invalid key."}', undefined, ...repeat('auth')],
    ['403 as a page', 403, '<html>', 'text/html', ...repeat('auth')],
    ['500', 500, '{"detail":"A server error occurred."}', undefined, ...repeat('unavailable')],
    ['502 as a page', 502, '<html>', 'text/html', ...repeat('unavailable')],
  ]

function repeat(one: string): [string, string, string] {
  return [one, one, one]
}

test.each(
  table,
)('%s (%i %s, %s): deleting: %s; updating: %s; reading: %s', async (_, status, body, type, ...expected) => {
  const send = async (client: Client) => client.send(client.request(persons.delete, { path: person }))
  const update = async (client: Client) => client.one(client.request(persons.update, { path: person, rawBody: {} }))
  const read = async (client: Client) => client.record(persons.get, { path: person })
  const seen = [send, update, read].map(work => verdict(work(clientOf(status, body, type))))
  expect(await Promise.all(seen)).toEqual(expected)
})

test.each([
  '{"success":false,"reason":"locked"}',
  '{"status":404,"error":"Not Found","path":"/x"}',
  '{"detail":"Nothing was done.","instance":"x"}',
  '{"ok":false}',
  '["You do not have permission"]',
  '[{"id":42,"detail":"No."}]',
])('%s under 200 is no success of a split, nor of an upgrade', async body => {
  const client = clientOf(200, body, 'application/json')
  const split = client.request(persons.split, { path: person, rawBody: { main_distinct_id: 'ada' } })
  const upgrade = client.request(plugins.upgrade, { path: { parent_lookup_organization_id: uuid, id: '3' } })
  const path = '/api/projects/1/persons/42/split/'
  const requests = [split, upgrade, client.raw('POST', path, [], {})]
  expect(await Promise.all(requests.map(one => verdict(client.one(one))))).toEqual(repeat(foreign))
})

test('a POST that the document does not know may be answered with anything in JSON', async () => {
  for (const body of ['{"results":[1],"error":"of one part"}', '{"id":1,"deleted":false}', '[{"id":1}]']) {
    const client = clientOf(200, body)
    expect(await verdict(client.one(client.raw('POST', '/api/projects/1/query/', [], {})))).toBe('done')
  }
})

test.each([
  ['{"success":true}', persons.split],
  ['{"success":true}', persons.deleteProperty],
  ['{"id":42,"distinct_ids":[],"properties":{"deleted":false}}', persons.updateProperty],
  ['[{"people":[]}]', persons.funnelPost],
  ['{"id":3,"plugin_type":"source","config_schema":{}}', plugins.create],
  ['{"index.ts":"x","ok":"y","deleted":null}', plugins.updateSource],
  ['{"id":42,"plugin_type":"custom","latest_tag":null}', plugins.upgrade],
  ['{"id":7,"uuid":"x","timezone":"UTC"}', projects.create],
  ['{"id":"x","tags":["a"]}', eventDefinitions.update],
  ['{"task":"x","status":"queued","errors":[]}', eventDefinitions.delete],
])('%s is what the document or servers answer', async (body, endpoint) => {
  const path = endpoint.path.replace(/:\w+/g, '42')
  const client = clientOf(200, body, 'application/json')
  expect(await verdict(client.one(client.raw(endpoint.method, path, [], {})))).toBe('done')
})

const csv = 'id,name\n42,x\n'

/** What each answer means to a write, to a DELETE and to a read that asked for CSV, and to a read that asked for JSON. */
test.each([
  ['CSV', csv, 'text/csv; charset=utf-8', csv, foreign, csv, foreign],
  ['CSV without a type', csv, undefined, csv, foreign, csv, foreign],
  ['CSV as text', csv, 'text/plain', foreign, foreign, csv, foreign],
  ['JSON', ' {"id":42}\n', 'application/json', ...repeat(' {"id":42}\n'), ' {"id":42}\n'],
  ['nothing', '', undefined, ...repeat(''), ''],
  ['plain text', 'upstream error', 'text/plain', foreign, foreign, 'upstream error', foreign],
  ['a web page without a type', '\n<html>Sign in</html>', undefined, ...repeat(foreign), foreign],
  ['a web page called CSV', '<!doctype html>', 'text/csv', ...repeat(foreign), foreign],
  ['an error', '{"error":"boom"}', 'text/csv', ...repeat(foreign), foreign],
  ['CSV with brackets', '[email],<name>\n', 'text/csv', '[email],<name>\n', foreign, '[email],<name>\n', foreign],
] as const)('a format that was asked for, answered with %s', async (_, body, type, ...expected) => {
  const seen = async (request: (client: Client) => Request) => {
    const client = clientOf(200, body, type)
    let text: string | undefined
    const reading = client.send(request(client)).then(async answer => {
      text = (await collectAtMost(answer.body, 1000))?.toString()
    })
    const judged = await verdict(reading)
    return text ?? judged
  }
  const path = '/api/projects/1/persons/42/'
  const param = [['format', 'csv']] as const
  const requests = [
    client => client.request(persons.split, { path: person, query: { format: 'csv' } }),
    client => client.raw('DELETE', path, param, undefined),
    client => client.raw('GET', path, param, undefined),
    client => client.request(persons.list, { path: person, query: { format: 'json' } }),
  ] satisfies ((client: Client) => Request)[]
  expect(await Promise.all(requests.map(seen))).toEqual(expected)
})

test('a web page is no answer to a read, whatever type it has, and other text is printed as it comes', async () => {
  const seen = (body: string, type?: string) => {
    const client = clientOf(200, body, type)
    return verdict(client.send(client.raw('GET', '/api/projects/1/x/', [], undefined)))
  }
  const page = '<!DOCTYPE html><title>Sign in</title>'
  expect(await Promise.all([seen(page), seen(page, 'application/json'), seen('hello')])).toEqual([
    foreign,
    foreign,
    'done',
  ])
})

test.each([
  ['an integer', persons.get, '42', `{"id":42,"uuid":"${uuid}"}`],
  ['an integer as text', persons.get, '42', '{"id":"42"}'],
  ['a UUID', persons.get, uuid.toLowerCase(), `{"id":42,"uuid":"${uuid}"}`],
  ['a UUID as id', eventDefinitions.get, uuid, `{"id":"${uuid.toLowerCase()}"}`],
  ['beyond 2^53', persons.get, '9007199254740993', '{"id":9007199254740993}'],
])('the record that was asked for is known by its id: %s', async (_, row, id, body) => {
  expect(await verdict(clientOf(200, body).record(row, { path: { project_id: '1', id } }))).toBe('done')
})

test('@current is whatever project the service says', async () => {
  expect(await verdict(clientOf(200, '{"id":7}').record(projects.get, { path: { id: '@current' } }))).toBe('done')
})

test('no other id passes for the one that was asked for', async () => {
  const ids = fc.oneof(fc.bigInt({ min: 1n, max: 2n ** 70n }).map(String), fc.uuid())
  await fc.assert(
    fc.asyncProperty(ids, ids, async (asked, answered) => {
      fc.pre(asked !== answered)
      const id = /^\d+$/.test(answered) ? answered : `"${answered}"`
      const reading = clientOf(200, `{"id":${id}}`).record(persons.get, { path: { project_id: '1', id: asked } })
      expect(await verdict(reading)).toBe(`rejected ${notTheService}`)
    }),
  )
})
