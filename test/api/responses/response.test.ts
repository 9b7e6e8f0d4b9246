/** What each response to a read means, and which record is the requested one. */
import { expect, test } from 'vitest'
import * as fc from '../../fast-check.ts'
import { startService } from '../../service.ts'

const uuid = '0190b7e0-AAAA-4000-8000-000000000042'

/** A service with the same response to every request. */
function always(status: number, body: string | Buffer, type?: string) {
  return startService((_, response) => void response.writeHead(status, type ? { 'content-type': type } : {}).end(body))
}

const data = 'application/json'
const record = '{"id":42,"name":"x"}'

test.each([
  ['the record', 200, record, data, 0],
  ['the record, without a type', 200, record, undefined, 0],
  ['the record behind a byte order mark', 200, `\ufeff${record}`, undefined, 0],
  ['a record that holds detail', 200, '{"id":42,"properties":{},"detail":"x"}', undefined, 0],
  ['a record that holds error', 200, '{"id":42,"tag":"1","error":"x"}', undefined, 0],
  ['a record that calls itself deleted', 200, '{"id":42,"status":"failed","deleted":true}', undefined, 0],
  ['nothing', 204, '', undefined, 5],
  ['nothing, called a web page', 200, '', 'text/html', 5],
  ['another record', 200, '{"id":4711}', data, 5],
  ['a record without an id', 200, '{"name":"x"}', data, 5],
  ['a list', 200, `[${record}]`, data, 5],
  ['null', 200, 'null', data, 5],
  ['text in JSON', 200, '"OK"', data, 5],
  ['plain text', 200, 'OK', 'text/plain', 5],
  ['an error', 200, '{"type":"server_error","code":"x","detail":"No.","attr":null}', data, 5],
  ['an error with an id', 200, '{"id":"req-8f3","error":"x"}', data, 5],
  ['half of JSON', 200, '{"id":42', data, 7],
  ['almost JSON', 200, '{"id":42,}', data, 5],
  ['bytes that are not UTF-8', 200, Buffer.from('{"id":42,"name":"\xff"}', 'latin1'), undefined, 5],
  ['a large web page', 200, `<html>${' '.repeat(2 ** 20)}`, 'text/html', 5],
  ['a web page in disguise', 200, '<!doctype html>', data, 5],
  ['a redirect', 302, '', undefined, 5],
  ['404 behind a byte order mark', 404, '\ufeff{"detail":"Not found."}', undefined, 3],
  ['404 as a page', 404, '<html>', 'text/html', 5],
  ['404 as a page in disguise', 404, '<!DOCTYPE html>', undefined, 5],
  ['403 as a page', 403, '<html>', 'text/html', 4],
  ['502 as a page', 502, '<html>', 'text/html', 7],
] as const)('a person who is read is answered with %s: %i %s %s ends with %i', async (_, status, body, type, code) => {
  const { run } = await always(status, body, type)
  expect((await run('persons get 42 --retries 0')).code).toBe(code)
})

test('api refuses a web page of any content type, and prints other text unchanged', async () => {
  const page = '<!DOCTYPE html><title>Sign in</title>'
  const seen = async (body: string, type?: string) => {
    const { code, stdout } = await (await always(200, body, type)).run('api GET /api/projects/1/x/')
    return [code, stdout]
  }
  expect(await Promise.all([seen(page), seen(page, data), seen('hello')])).toEqual([
    [5, ''],
    [5, ''],
    [0, 'hello'],
  ])
})

test('an undocumented POST accepts any object or list except an error', async () => {
  const seen = async (body: string) =>
    (await (await always(200, body)).run('api POST /api/projects/1/query/ --yes')).code
  const bodies = ['{"results":[1]}', '{"id":1,"deleted":false}', '[{"id":1}]', '{"error":"x"}', '"OK"']
  expect(await Promise.all(bodies.map(seen))).toEqual([0, 0, 0, 5, 5])
})

test.each([
  ['CSV', 'id,name\n42,x\n', 'text/csv; charset=utf-8', 0],
  ['JSON', ` ${record}\n`, data, 0],
  ['nothing', '', undefined, 0],
  ['plain text', 'upstream error', 'text/plain', 0],
  ['a web page called CSV', '<!doctype html>', 'text/csv', 5],
])('a read of CSV prints %s unchanged: %j %s %i', async (_, body, type, exit) => {
  const { run } = await always(200, body, type)
  const { code, stdout } = await run('api GET /api/projects/1/persons/42/ --param format=csv')
  expect([code, stdout]).toEqual([exit, exit === 0 ? body : ''])
})

test.each([
  ['an integer', 'persons get 42', `{"id":42,"uuid":"${uuid}"}`],
  ['an integer as text', 'persons get 42', '{"id":"42"}'],
  ['a UUID', `persons get ${uuid.toLowerCase()}`, `{"id":42,"uuid":"${uuid}"}`],
  ['a UUID as id', `event-definitions get ${uuid}`, `{"id":"${uuid.toLowerCase()}"}`],
  ['beyond 2^53', 'persons get 9007199254740993', '{"id":9007199254740993}'],
  ['@current', 'projects get @current', '{"id":7}'],
])('the requested record is recognized by its id: %s', async (_, line, body) => {
  expect((await (await always(200, body)).run(line)).code).toBe(0)
})

test.each([
  ['plugins check-for-updates 42', '{"plugin":{"id":-42,"name":"x"}}'],
  ['plugins source 42', '{"id":-42,"name":"x"}'],
  ['persons get 42', '{"id":-42}'],
  ['projects update 42 --timezone UTC', '{"id":-42,"timezone":"UTC"}'],
  [`event-definitions get ${uuid}`, `{"id":"-${uuid}"}`],
])('a record with a negative id is refused: %s', async (line, body) => {
  expect((await (await always(200, body)).run(line)).code).toBe(5)
})

test('a record with another id is refused', async () => {
  let answered: string | number = 0
  const { run } = await startService((_, response) => void response.end(`{"id":${answered}}`))
  const ids = fc.oneof(fc.bigInt({ min: 1n, max: 2n ** 70n }).map(String), fc.uuid())
  await fc.assert(
    fc.asyncProperty(ids, ids, async (asked, other) => {
      fc.pre(asked !== other)
      answered = /^\d+$/.test(other) ? other : JSON.stringify(other)
      expect((await run(`persons get ${asked}`)).code).toBe(5)
    }),
    { numRuns: 50 },
  )
})
