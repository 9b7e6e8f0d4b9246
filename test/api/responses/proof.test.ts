/** What each body of a 2xx proves for a write: its form decides, not its words. */
import { describe, expect, test } from 'vitest'
import { notTheService } from '../../../src/errors.ts'
import * as fc from '../../fast-check.ts'
import { emptyPage, isList, json, notFound, personRow } from '../../server.ts'
import { startService } from '../../service.ts'

const uuid = '00000000-0000-4000-8000-000000000042'
const person = { ...personRow(42), properties: { plan: 'pro' } }
const plugin = { id: 42, plugin_type: 'custom', name: 'Tidy', url: null }
const project = { id: 42, name: 'Shop', timezone: 'UTC' }

/** Each write with the record that it names or makes. */
const writes = {
  delete: ['persons delete 42', person],
  change: ['persons update 42 --set plan=pro', person],
  set: ['projects update 42 --timezone UTC', project],
  'post to': ['persons update-property 42 --key plan --value pro', person],
  split: ['persons split 42 --main-distinct-id person-42', person],
  upgrade: ['plugins upgrade 42', plugin],
  'change the source of': ['plugins update-source 42 --set a.ts=b', plugin],
  create: ['projects create --name Shop', project],
} as const

type Write = keyof typeof writes
type Meaning = 'done' | 'foreign'

const all = Object.keys(writes) as Write[]

/** Answers writes with these bytes, and shows every object, or none if they are gone. */
function answering(body: () => string | Buffer, { status = 200, isGone = false, type = 'application/json' } = {}) {
  return startService((asked, response) => {
    if (asked.method !== 'GET') return void response.writeHead(status, { 'content-type': type }).end(body())
    if (isList(asked)) return emptyPage(response)
    if (!asked.path.includes('/persons/')) return json(response, { ...project, id: 1, organization: uuid })
    return isGone ? notFound(response) : json(response, personRow(42))
  })
}

async function meaning({ run }: Awaited<ReturnType<typeof answering>>, write: Write): Promise<Meaning | string> {
  const { code, stderr } = await run(`${writes[write][0]} --yes -o ndjson`)
  if (code === 0) return 'done'
  const { error } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '')
  return code === 5 && error.code === notTheService ? 'foreign' : stderr
}

/** The bodies, and the writes for which each of them proves success. */
const good: readonly (readonly [body: (record: object) => unknown, to: readonly Write[]])[] = [
  [() => '', all.filter(write => write !== 'create')],
  [() => ' \r\n', all.filter(write => write !== 'create')],
  [() => '{"success":true}', all.filter(write => write !== 'create')],
  [record => record, all.filter(write => write !== 'delete')],
  [record => `\ufeff${JSON.stringify(record)}`, all.filter(write => write !== 'delete')],
  [record => ({ ...record, error: null, extra: 1 }), all.filter(write => write !== 'delete')],
  [() => ({ 'a.ts': 'b' }), ['change the source of']],
]

const errors = ['{"error":"x"}', '{"errors":[{"x":1}]}', '{"detail":"x","instance":"y"}', '{"id":7,"success":false}']
const noObjects = [
  '[]',
  '[{"id":42}]',
  'null',
  'true',
  '1',
  '"OK"',
  'OK',
  '<html>Sign in</html>',
  '{"id":42',
  '{"id":42,}',
]
const pages = ['{"count":0,"next":null,"previous":null,"results":[]}', '{"results":[{"id":42}]}']
const foreign = [...errors, ...noObjects, ...pages, Buffer.from('{"id":42,"name":"\xff"}', 'latin1')]

const otherObjects = [
  ...['{}', '{"count":0}', '{"maintenance":true}', '{"persons_deleted":0}', '{"deleted":true}', '{"deleted":false}'],
  ...['{"success":true,"count":0}', '{"success":"true"}', '{"ok":true}', '{"status":"deleted","message":"Person 42"}'],
  ...['{"message":"Person deleted. No further action is required."}', '{"message":"Supprimé"}', '{"message":"Denied"}'],
  ...['{"id":"task-1","status":"queued"}', '{"errorMessage":"x"}', '{"plugin":{"id":42}}'],
]

const statuses = [200, 201, 202]

describe.each(statuses)('under %i', status => {
  test.each(all)('only the documented good responses prove a write: %s', async write => {
    let body: string | Buffer = ''
    const service = await answering(() => body, { status })
    const means = async (next: unknown) => {
      body = typeof next === 'string' || Buffer.isBuffer(next) ? next : JSON.stringify(next)
      return [String(body), await meaning(service, write)]
    }
    for (const [form, to] of good) {
      const answer = form(writes[write][1])
      expect(await means(answer)).toEqual([String(body), to.includes(write) ? 'done' : 'foreign'])
    }
    const refused = errors.map(error => ({ ...writes[write][1], ...JSON.parse(error), id: 42 }))
    // Each write gets each of the others, under one of the statuses; under each status some write does.
    const turn = statuses.indexOf(status) + all.indexOf(write)
    const some = <T>(answers: readonly T[]) => answers.filter((_, i) => (i + turn) % statuses.length === 0)
    for (const answer of some([...foreign, ...refused])) expect(await means(answer)).toEqual([String(body), 'foreign'])
    for (const answer of some(otherObjects)) expect(await means(answer)).toEqual([String(body), 'foreign'])
  })
})

test('an error that holds a record is reported as the error only', async () => {
  const { run } = await startService((_, response) => json(response, { ...person, success: false, message: 'Busy' }))
  const { code, stderr } = await run('persons update 42 --set plan=pro -q')
  expect([code, stderr]).toEqual([5, 'Unexpected response: an error with status 200: Busy.\nCheck the base URL.\n'])
})

const words = fc.oneof(
  fc.string(),
  fc.constantFrom('deleted', 'error', 'Gelöscht', '削除できません', 'not found', 'ok'),
)

test('no text and no other member proves a write', async () => {
  let body = ''
  const service = await answering(() => body)
  const named = fc.string().filter(name => !['detail', 'error', 'errors', 'id', 'results', 'uuid'].includes(name))
  const object = fc.dictionary(named, fc.oneof(words, fc.jsonValue()))
  await fc.assert(
    fc.asyncProperty(object, async answer => {
      fc.pre(answer.success !== true && answer.success !== false)
      body = JSON.stringify(answer)
      for (const write of ['delete', 'change'] as const) expect(await meaning(service, write)).toBe('foreign')
    }),
    { numRuns: 12 },
  )
})

const line = 'persons delete 1 2 3 --yes --concurrency 1 --receipt r.json'

test.each([
  [200, '', 'answered'],
  [201, '{"success":true}', 'answered'],
  [202, '', 'accepted'],
  [202, '{"success":true}', 'accepted'],
  [204, '', 'answered'],
])('persons who are gone after %i %s count as deleted, with evidence %s', async (status, body, evidence) => {
  const { run, receipt } = await answering(() => body, { status, isGone: true })
  expect((await run(line)).code).toBe(0)
  expect(receipt().outcomes).toMatchObject([1, 2, 3].map(id => ({ id: `${id}`, status: 'deleted', evidence })))
})

test('an empty body and a web page are recognized with any content type', async () => {
  const empty = await answering(() => '\n', { type: 'text/html' })
  const page = await answering(() => `<html>${' '.repeat(2 ** 20)}`, { type: 'text/html' })
  for (const write of ['delete', 'change'] as const) {
    expect([await meaning(empty, write), await meaning(page, write)]).toEqual(['done', 'foreign'])
  }
})
