import { expect, test } from 'vitest'
import { json, personRow } from '../../server.ts'
import { startService } from '../../service.ts'

test('a report has the activity to its last page, and says which part the server did not answer', async () => {
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

test('an empty answer is no part of a report, and one whose pages repeat may not be whole', async () => {
  const { world, env } = await startService(({ path }, response) => {
    if (path.endsWith('/persons/7/')) return json(response, personRow(7))
    if (path.endsWith('/activity/')) return json(response, { results: [{ page: 1 }], next: '?page=2' })
    if (path.endsWith('/cohorts/')) return json(response, { results: [] })
    response.writeHead(200).end()
  })
  const { code, stdout, stderr } = await world.run(['persons', 'report', '7'], { env })
  expect(JSON.parse(stdout)).toMatchObject({
    activity: [{ page: 1 }, { page: 1 }],
    properties_timeline: { error: { name: 'rejected', status: 200 } },
    cohorts: [],
  })
  expect(JSON.parse(stdout).notes.slice(2)).toEqual([
    'activity may be incomplete: the service led back to a page already read',
  ])
  expect([code, stderr]).toEqual([
    8,
    expect.stringContaining('The report is not complete: activity, properties_timeline'),
  ])
  expect(stderr).toContain('Its errors and notes say what may be missing')
})

const uuid = '29920000-0000-4000-8000-000000000007'
const otherUuid = '11920000-0000-4000-8000-000000000008'
const other = personRow(8)
const otherListed = { ...other, id: otherUuid, uuid: otherUuid }
const task = { id: '11110000-0000-4000-8000-000000000000', status: 'queued', items: [] }

test.each([
  ['activity', [null, 'a text', 7, {}, { results: null }, { message: 'soon' }, { id: null }, task, other, otherListed]],
  ['cohorts', [null, 'a text', true, {}, { results: null }, { id: 7, errors: [] }, other, otherListed]],
  [
    'properties_timeline',
    [null, 'a text', false, {}, { success: true }, { points: null }, { task: {} }, other, otherListed],
  ],
])('an answer that tells nothing is no part of a report: %s', async (part, bodies) => {
  for (const body of bodies) {
    const { world, env } = await startService(({ path }, response) => {
      if (path.endsWith('/persons/7/')) return json(response, { ...personRow(7), uuid })
      if (path.endsWith(`/${part}/`)) return json(response, body)
      json(response, path.endsWith('/properties_timeline/') ? { points: [] } : [])
    })
    const { code, stdout, stderr } = await world.run(['persons', 'report', '7'], { env })
    const { [part]: answer, ...others } = JSON.parse(stdout)
    expect([body, code, answer]).toEqual([
      body,
      8,
      { error: expect.objectContaining({ name: 'rejected', status: 200 }) },
    ])
    expect([others.activity ?? [], others.cohorts ?? []]).toEqual([[], []])
    expect(stderr).toContain(`${part}: Unexpected response: `)
  }
})

test('a part may be the record of the person, by its number or by its uuid', async () => {
  const person = { ...personRow(7), uuid }
  const { world, env } = await startService(({ path }, response) =>
    json(response, path.endsWith('/cohorts/') ? { ...person, id: uuid.toUpperCase() } : person),
  )
  const { code, stdout } = await world.run(['persons', 'report', '7'], { env })
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ activity: person, properties_timeline: person, cohorts: { uuid } })
})

test('a person whom the list shows twice is one person', async () => {
  const found = { ...personRow(7), id: '0190b7e0-aaaa-4000-8000-000000000007', properties: { email: 'a@example.com' } }
  const { world, env } = await startService(({ query }, response) => {
    json(response, { results: [found], next: query.has('offset') ? null : '?offset=1&email=a@example.com' })
  })
  const get = ['persons', 'get', '--email', 'a@example.com', '-o', 'ids']
  expect(await world.run(get, { env })).toMatchObject({ code: 0, stdout: `${found.id}\n` })
})

test.each([[[]], [['1', '--email', 'a@example.com']], [['--email', ' ']]])('%j names no one person', async argv => {
  const { world, server, env } = await startService()
  expect((await world.run(['persons', 'report', ...argv], { env })).code).toBe(2)
  expect(server.asked).toEqual([])
})
