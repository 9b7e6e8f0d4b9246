import { expect, test } from 'vitest'
import { json, personRow } from '../../server.ts'
import { startService } from '../../service.ts'

test('a report has all pages of the activity, and names the part that failed', async () => {
  const { world, server, env } = await startService(({ path, query }, response) => {
    if (path.endsWith('/persons/7/')) return json(response, personRow(7))
    if (path.endsWith('/activity/')) {
      const page = Number(query.get('page') ?? 1)
      return json(response, { results: [{ page }], next: page < 3 ? `?page=${page + 1}` : null })
    }
    if (path.endsWith('/cohorts/')) return json(response, { results: [], next: null })
    json(response, { detail: 'A server error occurred.' }, 500)
  })
  const { code, stdout, stderr } = await world.run(['persons', 'report', '7', '--retries', '0'], { env })
  expect(JSON.parse(stdout)).toMatchObject({
    person: personRow(7),
    activity: [{ page: 1 }, { page: 2 }, { page: 3 }],
    properties_timeline: { error: { status: 500 } },
    cohorts: [],
    project: '1',
    base_url: server.url,
    generated_at: '2026-05-15T12:00:00.000Z',
  })
  expect(Object.keys(JSON.parse(stdout))).toHaveLength(8)
  expect([code, stderr.includes('properties_timeline')]).toEqual([8, true])
  expect(server.asked.find(({ path }) => path.endsWith('/cohorts/'))?.query.get('person_id')).toBe('7')
})

test('an empty response and pages that repeat are failed parts', async () => {
  const { world, env } = await startService(({ path }, response) => {
    if (path.endsWith('/persons/7/')) return json(response, personRow(7))
    if (path.endsWith('/activity/')) return json(response, { results: [{ page: 1 }], next: '?page=2' })
    if (path.endsWith('/cohorts/')) return json(response, { results: [] })
    response.writeHead(200).end()
  })
  const { code, stdout, stderr } = await world.run(['persons', 'report', '7'], { env })
  expect(JSON.parse(stdout)).toMatchObject({
    activity: { error: { name: 'rejected' } },
    properties_timeline: { error: { name: 'rejected', status: 200 } },
    cohorts: [],
  })
  expect([code, stderr]).toEqual([
    8,
    expect.stringContaining('The report is not complete: activity, properties_timeline'),
  ])
})

test('a part with a 404 is reported as not supported, not as a person who was not found', async () => {
  const { run } = await startService(({ path }, response) => {
    if (path.endsWith('/persons/7/')) return json(response, personRow(7))
    if (path.endsWith('/activity/')) return json(response, { detail: 'Not found.' }, 404)
    json(response, { results: [] })
  })
  const { code, stdout, stderr } = await run('persons report 7')
  expect(JSON.parse(stdout).activity).toEqual({
    error: { name: 'not-found', status: 404, message: 'The server does not support this (404)' },
  })
  expect([code, stderr]).toEqual([8, expect.stringContaining('activity: The server does not support this (404)')])
})

const uuid = '29920000-0000-4000-8000-000000000007'
const other = personRow(8)
const task = { id: '11110000-0000-4000-8000-000000000000', status: 'queued', items: [] }

test.each([
  'activity',
  'cohorts',
  'properties_timeline',
])('a response about another object is a failed part: %s', async part => {
  for (const body of [null, 'a text', 7, task, other, { ...other, id: other.uuid }]) {
    const { run } = await startService(({ path }, response) => {
      if (path.endsWith('/persons/7/')) return json(response, { ...personRow(7), uuid })
      json(response, path.endsWith(`/${part}/`) ? body : { results: [] })
    })
    const { code, stdout } = await run('persons report 7')
    const error = expect.objectContaining({ name: 'rejected', status: 200 })
    expect([body, code, JSON.parse(stdout)[part]]).toEqual([body, 8, { error }])
  }
})

test('a part can be the record of the person, by number or UUID', async () => {
  const person = { ...personRow(7), uuid }
  const { world, env } = await startService(({ path }, response) =>
    json(response, path.endsWith('/cohorts/') ? { ...person, id: uuid.toUpperCase() } : person),
  )
  const { code, stdout } = await world.run(['persons', 'report', '7'], { env })
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ activity: person, properties_timeline: person, cohorts: { uuid } })
})

test('a person who is in the list twice is one person', async () => {
  const found = { ...personRow(7), id: '0190b7e0-aaaa-4000-8000-000000000007', properties: { email: 'a@example.com' } }
  const { world, env } = await startService(({ query }, response) => {
    const isAgain = query.has('offset')
    const results = [{ ...found, name: isAgain ? 'Ada' : 'Ada L.' }]
    json(response, { results, next: isAgain ? null : '?offset=1&email=a@example.com' })
  })
  const get = ['persons', 'get', '--email', 'a@example.com', '-o', 'ids']
  expect(await world.run(get, { env })).toMatchObject({ code: 0, stdout: `${found.id}\n` })
})

test.each([
  [[]],
  [['1', '--email', 'a@example.com']],
  [['--email', ' ']],
])('%j does not name exactly one person', async argv => {
  const { world, server, env } = await startService()
  expect((await world.run(['persons', 'report', ...argv], { env })).code).toBe(2)
  expect(server.asked).toEqual([])
})

test('of a person found by email, a report has the whole record, not the row of the list', async () => {
  const row = { ...personRow(7), properties: { email: 'ada@example.com' } }
  const record = { ...row, properties: { ...row.properties, plan: 'pro' } }
  const { run } = await startService(({ path }, response) =>
    json(response, path.endsWith('/persons/7/') ? record : { results: path.endsWith('/persons/') ? [row] : [] }),
  )
  const { stdout } = await run('persons report ada@example.com')
  expect(JSON.parse(stdout).person).toEqual(record)
})
