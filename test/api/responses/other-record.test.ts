/** A record other than the requested one is refused. */
import { writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { json, personRow } from '../../server.ts'
import { accepting, startService } from '../../service.ts'

test('a record with another id stops preview, backup and verify', async () => {
  const service = await startService((asked, response) => {
    if (asked.method === 'GET' && /\/persons\/\d+\/$/.test(asked.path)) return json(response, personRow(4711))
    return accepting(asked, response)
  })
  const { run, sent } = service
  expect((await run('persons delete 1 2', { answers: ['2'] })).code).toBe(5)
  expect((await run('persons delete 1 --yes --backup b')).code).toBe(5)
  expect(sent()).toEqual([])
  expect((await run('persons delete 1 --yes --receipt r.json')).code).toBe(0)
  const { code, stdout } = await run('persons verify --receipt r.json -o ndjson')
  expect([code, stdout.trim()]).toEqual([8, '{"id":"1","status":"unknown"}'])
})

test.each([
  ['another record', (response: ServerResponse) => json(response, personRow(4711))],
  ['what is not the service', (response: ServerResponse) => response.end('welcome')],
])('%s instead of the record to back up stops the run without a change', async (_, answer) => {
  const { run, sent, receipt } = await startService((asked, response) => {
    if (asked.method === 'GET' && /\/persons\/\d+\/$/.test(asked.path)) return answer(response)
    return accepting(asked, response)
  })
  expect((await run('persons delete 1 2 --yes --backup b --receipt r.json')).code).toBe(5)
  expect(receipt().outcomes).toMatchObject([{ status: 'left' }, { status: 'left' }])
  expect(sent()).toEqual([])
})

const uuid = '00000000-0000-4000-8000-000000000042'
const changed = { ...personRow(42), properties: { a: 'b' } }
const plugin = { id: 42, plugin_type: 'custom', name: 'Tidy' }

test.each([
  ['persons update 42 --set a=b', changed],
  ['persons update-property 42 --key a --value b', changed],
  ['persons delete-property 42 --key a --yes', personRow(42)],
  ['persons split 42 --main-distinct-id person-42 --yes', personRow(42)],
  [`persons update-property ${uuid} --key a --value b`, changed],
  ['plugins upgrade 42', plugin],
  ['plugins update-source 42 --set a.ts=b', { ...plugin, url: null }],
  ['plugins check-for-updates 42', plugin],
] as const)('%s is done where the record came, and not where another one came', async (line, record) => {
  let body: object = record
  let status = 200
  const { run } = await startService((asked, response) => {
    if (asked.method !== 'GET' || asked.path.includes('check_for_updates')) return json(response, body, status)
    json(response, asked.path.includes('/persons/') ? personRow(42) : { id: 1, organization: uuid })
  })
  expect((await run(line)).code).toBe(0)
  body = { ...record, id: 77, uuid: uuid.replace('42', '77') }
  for (status of [200, 202]) expect((await run(line)).code).toBe(5)
  const otherForm = line.includes(uuid) ? { id: 42 } : { id: uuid }
  body = { ...record, uuid: undefined, ...otherForm }
  expect((await run(line)).code).toBe(5)
})

test.each([
  ['another version of it', plugin, 0],
  ['its record in a plugin', { plugin }, 0],
  ['a task', { id: 77, status: 'queued' }, 5],
])('a check for updates of a plugin accepts %s', async (_, body, code) => {
  const { run } = await startService((_, response) => json(response, body))
  expect((await run('plugins check-for-updates 42', { env: { ANALYTICS_ORGANIZATION: uuid } })).code).toBe(code)
})

const inOne = '/api/projects/1'

test.each([
  [`PATCH ${inOne}/persons/42/ --field properties={}`, personRow(42)],
  [`PATCH ${inOne}/persons/${uuid}/ --field properties={}`, personRow(42)],
  [`POST ${inOne}/persons/42/split/ --field main_distinct_id=person-42`, personRow(42)],
  [`POST ${inOne}/persons/42/delete_property/ --param $unset=a`, personRow(42)],
  [`POST /api/organizations/${uuid}/plugins/42/upgrade/`, plugin],
  [`PATCH ${inOne}/event_definitions/${uuid}/ --field description=x`, { id: uuid, name: 'sign up' }],
  ['PATCH /api/projects/42/ --field timezone=UTC', { id: 42, timezone: 'UTC' }],
] as const)('api %s is not done where another record came', async (request, record) => {
  const line = `api ${request} --yes`
  const other = { ...record, id: record.id === uuid ? uuid.replace('42', '77') : 77, uuid: uuid.replace('42', '77') }
  const there = await startService((_, response) => json(response, record))
  const elsewhere = await startService((_, response) => json(response, other))
  for (const form of ['', ' -o json']) {
    expect([form, (await there.run(line + form)).code]).toEqual([form, 0])
    const { code, stderr } = await elsewhere.run(line + form)
    expect([form, code]).toEqual([form, 5])
    expect(stderr).toContain('another record instead of')
  }
})

const bare = uuid.replaceAll('-', '')
const otherBare = bare.replace('42', '77')
const definitions = `${inOne}/event_definitions`

test.each([
  ['/api/projects/042/ --field timezone=UTC', { id: 42, timezone: 'UTC' }, 77],
  [`${definitions}/${bare}/ --field description=x`, { id: uuid, name: 'sign up' }, otherBare],
  [`${definitions}/${uuid.toUpperCase()}/ --field description=x`, { id: bare, name: 'sign up' }, otherBare],
] as const)('api PATCH %s names the record in another form of its id', async (request, record, id) => {
  const line = `api PATCH ${request} --yes`
  const there = await startService((_, response) => json(response, record))
  expect((await there.run(line)).code).toBe(0)
  const elsewhere = await startService((_, response) => json(response, { ...record, id, uuid: id }))
  expect((await elsewhere.run(line)).code).toBe(5)
})

test.each(['@current', '%2B42', '%2042'])('what record the id %s names is not known', async id => {
  const { run } = await startService((_, response) => json(response, { id: 42, timezone: 'UTC' }))
  expect((await run(`api PATCH /api/projects/${id}/ --field timezone=UTC --yes`)).code).toBe(0)
})

test('settings of another project are refused', async () => {
  const { run, world, sent } = await startService((_, response) =>
    json(response, { id: 7, name: 'P', organization: '0190b7e0-0000-4000-8000-000000000001' }),
  )
  writeFileSync(join(world.folder, 's.yaml'), 'timezone: Asia/Tokyo\n')
  for (const line of ['pull 42', 'diff 42 -f s.yaml', 'apply 42 -f s.yaml --yes']) {
    expect([line, (await run(`projects ${line}`)).code]).toEqual([line, 5])
  }
  expect((await run('plugins delete 1 --project 42 --yes')).code).toBe(5)
  expect(sent()).toEqual([])
})
