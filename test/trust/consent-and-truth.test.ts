/** Nobody is deleted by accident, and nothing is called done that is not. Answers: `verdicts.test.ts`; leases: `containers.test.ts`. */
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Answer, emptyPage, isList, json, notFound, personRow } from '../server.ts'
import { accepting, type Service, startService, writesOf } from '../service.ts'
import type { Options } from '../world.ts'

async function start(answer?: Answer) {
  const service = await startService(answer)
  const run = (line: string, { env, ...options }: Options = {}) =>
    service.world.run(line.split(' '), { ...options, env: { ...service.env, ...env } })
  const write = (name: string, text: string) => writeFileSync(join(service.world.folder, name), text)
  return { ...service, run, write, sent: () => writesOf(service.server.asked) }
}

function outcomesOf({ world }: Service, file = 'r.json') {
  return JSON.parse(readFileSync(join(world.folder, file), 'utf8')).outcomes
}

const idOf = (path: string) => Number(path.split('/').at(-2))

/** Every person is there, with the property, and lists ignore their filters. */
const persons =
  (properties: Record<string, unknown>): Answer =>
  (asked, response) => {
    if (asked.method !== 'GET') return accepting(asked, response)
    const row = (id: number) => ({ ...personRow(id), properties })
    if (isList(asked)) return json(response, { next: null, results: [row(1), row(2)] })
    json(response, /\/persons\/\d+\/$/.test(asked.path) ? row(idOf(asked.path)) : { id: 1, name: 'P' })
  }

test('names of megabytes fill neither the preview nor the sentence that says what will be done', async () => {
  const long = 'N'.repeat(500_000)
  const { run } = await start((asked, response) =>
    json(response, asked.path.includes('/persons/') ? { ...personRow(1), name: long } : { id: 1, name: long }),
  )
  for (const line of ['persons delete 1 --dry-run', 'persons update 1 --set name=x --dry-run']) {
    const { code, stderr } = await run(line)
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/ person 1 of project 1 "N{99}…" .*\n.*\n {2}1 .*N{100}.*\nDry/),
    ])
    expect(stderr.length).toBeLessThan(40_000)
  }
})

async function isRefused(line: string): Promise<void> {
  const { run, server } = await start()
  expect([(await run(line)).code, server.asked.length]).toEqual([2, 0])
}

test.each([
  'persons delete --property email~ --yes --max 100',
  'persons delete --property email!= --yes --max 100',
  'persons delete --property age> --yes --max 100',
  'persons delete --where properties.email~ --yes --max 100',
  'persons delete --email= --yes --max 100',
  'persons delete --search= --yes --max 100',
  'persons delete --distinct-id= --yes',
  'persons delete-property --key plan --property email!= --yes --max 100',
])('1. an empty filter value selects nobody: %s', isRefused)

test.each([
  'persons update-property 1 --key plan --key seats --value pro',
  'persons update-property 1 --key plan --value pro --value free',
  'persons split 1 --main-distinct-id a --main-distinct-id b --yes',
  'persons delete 1 2 --expect 3 --expect 2 --yes',
  'persons delete 1 2 --canary 1 --canary 0 --yes',
  'persons update 1 --properties [1]',
  'persons update 1 --properties null',
  'persons update 1 --body [1]',
  'persons update 1 --body 1.0',
  'persons split 1 --main-distinct-id a --properties 5 --yes',
  'projects delete @current --yes',
  'projects delete @CURRENT --yes',
  'api DELETE /api/projects/@current/ --yes',
  'api DELETE /api/projects/%40current/ --yes',
  'api DELETE /api/projects/{project}/ --project @current --yes',
  'event-definitions update 1 --add-tag VIP --remove-tag vip',
  'persons delete 1 2 --receipt - --yes',
  'persons delete 1 2 --backup= --yes',
  'persons delete 1 2 --plan -',
  'persons delete 1 2 --output-file - --yes',
])('1. a value that another one would replace, or that cannot be meant, is refused: %s', isRefused)

test('8. the organization is asked once: targets and deletions are of the same one', async () => {
  const { run, server } = await start((asked, response) => {
    if (asked.method === 'GET' && asked.path.endsWith('/plugins/')) {
      return json(response, { count: 1, next: null, results: [{ id: 5, name: 'geo' }] })
    }
    accepting(asked, response)
  })
  expect((await run('plugins delete --where name=geo --expect 1 --yes')).code).toBe(0)
  expect(server.asked.filter(({ path }) => path === '/api/projects/1/')).toHaveLength(1)
})

test('1. a list that leads in a circle names no definition: another one could have the name', async () => {
  const { run, sent } = await start((asked, response) =>
    json(response, { next: `?${asked.query}`, results: [{ id: 1, name: 'paid' }] }),
  )
  expect((await run('event-definitions delete --by-name paid --yes')).code).toBe(5)
  expect(sent()).toEqual([])
})

test.each([
  '--email=ada@example.com',
  '--property=plan=pro',
  '--search=ada',
  '--distinct-id=ada',
])('1. a list whose filter the server ignores says so, since a script may hand its rows to a deletion: %s', async filter => {
  const { run } = await start(persons({ plan: 'free' }))
  const { code, stdout, stderr } = await run(`persons list ${filter} -o ids`)
  expect([code, stdout]).toEqual([0, '1\n2\n'])
  expect(stderr).toBe('The server ignored the filter: it answered with person 1, who does not match\n')
  expect((await run('persons list --property plan=free -o ids')).stderr).toBe('')
})

test('2. --yes does not consent to a number that nobody named', async () => {
  const { run, server, sent } = await start(persons({ plan: 'free' }))
  for (const words of ['delete', 'delete-property --key plan']) {
    expect((await run(`persons ${words} --property plan=free --yes`)).code).toBe(2)
    expect(server.asked).toEqual([])
  }
  expect((await run('persons delete --property plan=free --yes --max 1')).code).toBe(10)
  expect((await run('persons delete --property plan=free --yes --expect 3')).code).toBe(10)
  expect(sent()).toEqual([])
  expect((await run('persons delete --property plan=free --yes --expect 2')).code).toBe(0)
})

test.each([
  1767225600,
  '12/31/2026',
  '',
  '2025-05-01',
  null,
  true,
])('3. %j is not before a date, though the server ignored the filter', async seen => {
  const { run, sent } = await start(persons({ seen }))
  expect((await run('persons delete --property seen<2024-01-01 --yes --max 100')).code).toBe(10)
  expect(sent()).toEqual([])
})

test('3. a date before that one is', async () => {
  const { run, sent } = await start(persons({ seen: '2023-05-01T10:00:00Z' }))
  expect((await run('persons delete --property seen<2024-01-01 --yes --max 100')).code).toBe(0)
  expect(sent()).toHaveLength(2)
})

const isPersonId = /^(?:[1-9][0-9]*|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i
const wrong = fc.oneof(
  fc.constantFrom(
    '../../2',
    '..%2F2',
    '2,3',
    '# note',
    "'11'",
    '+30',
    '[27]',
    '0',
    '007',
    '1e3',
    '１',
    '2/',
    '?',
    '1;2',
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
  fc.stringMatching(/^[0-9./%+,#'[\] -]{1,10}$/),
)

test('4. what is no id is refused before any request, as an argument and in a list', async () => {
  const { world, env, run, server } = await start()
  const text = wrong.filter(id => id.trim() !== '' && !id.startsWith('-') && !isPersonId.test(id.trim()))
  const inLine = text.filter(id => !/[\r\n\u2028\u2029\0\ufeff{]/.test(id) && !id.includes('\x85'))
  await fc.assert(
    fc.asyncProperty(text, async id => {
      const { code } = await world.run(['persons', 'delete', id, '--yes'], { env })
      expect(code).toBe(2)
    }),
    { numRuns: 60 },
  )
  await fc.assert(
    fc.asyncProperty(inLine, async id => {
      const { code } = await run('persons delete --from - --yes', { stdin: `1\n2\n${id}\n` })
      expect(code).toBe(2)
    }),
    { numRuns: 60 },
  )
  expect(server.asked).toEqual([])
})

test('5. under a project that is not there nobody is gone', async () => {
  const service = await start((_, response) => notFound(response))
  expect((await service.run('persons delete 1 2 3 --yes --receipt r.json')).code).toBe(3)
  expect(outcomesOf(service).every(({ status }: { status: string }) => status === 'left')).toBe(true)
  service.write('list', '1\n')
  expect((await service.run('persons delete --from list --yes')).code).toBe(3)
})

test('6. a canary that is still there is not deleted, and is sent again', async () => {
  let stays = true
  const service = await start((asked, response) => {
    if (asked.method === 'DELETE') return void response.writeHead(202).end()
    if (isList(asked)) return emptyPage(response)
    if (!/\/persons\/\d+\/$/.test(asked.path)) return json(response, { id: 1, name: 'P' })
    if (stays) json(response, personRow(idOf(asked.path)))
    else notFound(response)
  })
  const { code, stdout } = await service.run('persons delete 1 2 3 --yes --canary 1 --receipt r.json -o ndjson')
  expect([code, stdout.includes('"deleted"'), service.sent().length]).toEqual([5, false, 1])
  expect(outcomesOf(service)[0]).toMatchObject({ status: 'failed', error: { code: 'still-there' } })
  stays = false
  expect((await service.run('jobs resume --last')).code).toBe(0)
  expect(service.sent().map(({ path }) => idOf(path))).toEqual([1, 1, 2, 3])
})

test('7. a person with more distinct ids than a list item holds is found by the last of them', async () => {
  const all = Array.from({ length: 1001 }, (_, i) => `d${i}`)
  const { run, write, sent } = await start((asked, response) => {
    if (asked.method !== 'GET') return accepting(asked, response)
    const row = { ...personRow(1), distinct_ids: all.slice(0, 1000) }
    if (isList(asked)) return json(response, { next: null, results: [row] })
    json(response, { ...row, distinct_ids: all })
  })
  write('ids', 'd1000\n')
  const { code, stderr } = await run('persons delete --distinct-ids-from ids --yes')
  expect([code, stderr.includes('ignored'), sent().length]).toEqual([0, false, 1])
})

test('8. another record than was asked for stops preview, backup and verify', async () => {
  const service = await start((asked, response) => {
    if (asked.method === 'GET' && /\/persons\/\d+\/$/.test(asked.path)) return json(response, personRow(4711))
    return accepting(asked, response)
  })
  const { run, sent } = service
  expect((await run('persons delete 1 2', { answers: ['2'] })).code).toBe(5)
  expect((await run('persons delete 1 --yes --backup b')).code).toBe(5)
  expect((await run('persons delete 1 2 --yes --backup b2')).code).toBe(5)
  expect(sent()).toEqual([])
  expect((await run('persons delete 1 --yes --receipt r.json')).code).toBe(0)
  const { code, stdout } = await run('persons verify --receipt r.json -o ndjson')
  expect([code, stdout.trim()]).toEqual([8, '{"id":"1","status":"unknown"}'])
})

test('8. the name that api asks for is the name of the project that it deletes', async () => {
  const { run, sent } = await start((asked, response) =>
    asked.method === 'GET' ? json(response, { id: 3, name: 'Shop' }) : accepting(asked, response),
  )
  for (const line of ['api DELETE /api/projects/2/', 'projects delete 2']) {
    expect((await run(line, { answers: ['Shop'] })).code).toBe(5)
  }
  expect(sent()).toEqual([])
  expect((await run('api DELETE /api/projects/3/', { answers: ['Shop'] })).code).toBe(0)
  expect(sent()).toHaveLength(1)
})

test('8. a write that is answered with another record is not done', async () => {
  const service = await start((asked, response) => {
    if (asked.method !== 'GET') return json(response, personRow(4711))
    return accepting(asked, response)
  })
  const { run } = service
  expect((await run('persons update 1 --set a=b')).code).toBe(5)
  expect((await run('persons update 1 --set a=b --server-format json')).code).toBe(5)
  expect((await run('persons update 1 2 --set a=b --yes --receipt r.json')).code).toBe(5)
  expect(outcomesOf(service)[0]).toMatchObject({ status: 'failed', error: { code: 'other-record', status: 200 } })
  // The body of a DELETE may name the task that deletes.
  expect((await run('persons delete 1 --yes')).code).toBe(0)
})

const uuid = '00000000-0000-4000-8000-000000000042'
const plugin = { id: 42, plugin_type: 'custom', name: 'Tidy' }

describe.each([
  ['persons update-property 42 --key a --value b', personRow(42)],
  ['persons delete-property 42 --key a --yes', personRow(42)],
  ['persons split 42 --main-distinct-id person-42 --yes', personRow(42)],
  [`persons update-property ${uuid} --key a --value b`, personRow(42)],
  ['plugins upgrade 42', plugin],
  ['plugins update-source 42 --set a.ts=b', plugin],
  ['plugins check-for-updates 42', plugin],
] as const)('8. %s is done', (line, record) => {
  test.each([
    ['not where another record came', 200, { ...record, id: 77, uuid: uuid.replace('42', '77') }, 5],
    ['not where another record came with 202', 202, { ...record, id: 77, uuid: uuid.replace('42', '77') }, 5],
    ['where the record came', 200, record, 0],
    ['where the record came in a plugin', 200, { plugin: record }, 0],
    ['where success came', 200, { success: true }, 0],
    ['where a task came', 202, { id: 77, status: 'queued', created_at: '2026-01-01T00:00:00Z' }, 0],
    ['where a task with a uuid came', 202, { id: 77, uuid: uuid.replace('42', '77'), status: 'queued' }, 0],
    ['where files came', 200, { 'a.ts': 'b', id: '77' }, 0],
  ])('%s', async (_, status, body, expected) => {
    const { run } = await start((asked, response) => {
      const isAsked = asked.method !== 'GET' || asked.path.includes('check_for_updates')
      if (isAsked) return json(response, body, status)
      json(response, /\/persons\/[^/]+\/$/.test(asked.path) ? personRow(42) : { id: 1, organization: uuid })
    })
    expect((await run(line)).code).toBe(expected)
  })
})

test.each([
  ['the file as it was', { 'index.ts': 'old', 'x.ts': 'y' }, 5],
  ['no such file', { 'x.ts': 'y' }, 5],
  ['the file that was to go', { 'index.ts': 'new', 'a.ts': 'old' }, 5],
  ['the file as it was, beside a null', { 'index.ts': 'old', readme: null }, 5],
  ['the files', { 'index.ts': 'new\n', 'x.ts': 'y' }, 0],
  ['a map of other things', { status: 'queued' }, 0],
  ['the plugin', { ...plugin, url: null }, 0],
])('8. a source that is answered with %s', async (_, answer, expected) => {
  const { run } = await start((_, response) => json(response, answer))
  const env = { ANALYTICS_ORGANIZATION: uuid }
  const line = 'plugins update-source 42 --set index.ts=new --set-json a.ts=null'
  const { code, stderr } = await run(line, { env })
  expect([code, stderr.includes('did not apply')]).toEqual([expected, expected === 5])
})

test('8. the settings of another project are not taken for those that were asked for', async () => {
  const { run, write, sent } = await start((_, response) =>
    json(response, { id: 7, name: 'P', organization: '0190b7e0-0000-4000-8000-000000000001' }),
  )
  write('s.yaml', 'timezone: Asia/Tokyo\n')
  for (const line of ['pull 42', 'diff 42 -f s.yaml', 'apply 42 -f s.yaml --yes', 'diff 7 --against 42']) {
    expect([line, (await run(`projects ${line}`)).code]).toEqual([line, 5])
  }
  expect((await run('plugins delete 1 --project 42 --yes')).code).toBe(5)
  expect(sent()).toEqual([])
})

test('8. a PATCH of settings that is answered with another project is not done', async () => {
  const { run, write } = await start((asked, response) =>
    json(response, { id: asked.method === 'GET' ? 42 : 7, timezone: asked.method === 'GET' ? 'UTC' : 'Asia/Tokyo' }),
  )
  write('s.yaml', 'timezone: Asia/Tokyo\n')
  expect((await run('projects apply 42 -f s.yaml --yes')).code).toBe(5)
})

test.each([
  ['persons delete --property plan=free --max 9', 'no-delete', 10],
  ['persons update --all --set a=b', 'read-only', 10],
  ['persons split 1 --main-distinct-id a', 'no-delete', 10],
  ['api POST /api/projects/1/sweep/ --yes', 'no-delete', 10],
  ['persons update 1 --set a=b --yes', 'confirm', 10],
  ['persons delete 1 2 --max 1 --max 5 --yes', '', 10],
  ['persons delete 1 2 --max 5 --max 1 --yes', '', 10],
  ['persons delete 1 2 --concurrency 30000000 --yes', '', 2],
])('9. %s under "%s" is refused before anything is read or asked', async (line, level, exit) => {
  const { run, server } = await start()
  const { code, stderr } = await run(line, {
    env: level ? { ANALYTICS_SAFETY: level } : {},
    ...(level && level !== 'confirm' ? { answers: ['2'] } : {}),
  })
  expect([code, stderr.includes('Type'), server.asked]).toEqual([exit, false, []])
})

test('9. the canary counts with one target, too', async () => {
  const service = await start((asked, response) => {
    if (asked.method === 'GET' && /\/persons\/1\/$/.test(asked.path)) return json(response, personRow(1))
    return accepting(asked, response)
  })
  expect((await service.run('persons delete 1 --canary 1 --yes')).code).toBe(5)
})

test('11. receipt and backup are not one file, by whatever name', async () => {
  const { run, world, server } = await start()
  symlinkSync(world.folder, join(world.folder, 'link'))
  expect((await run('persons delete 1 2 --yes --backup x --receipt link/x')).code).toBe(2)
  expect(server.asked).toEqual([])
})

test('12. text that the service trims and an object that it merges are applied', async () => {
  const { world, env } = await start(({ body }, response) => {
    const { name = 'P', ...sent } = JSON.parse(body)
    json(response, { id: 1, ...sent, name: name.trim(), ...(sent.extra ? { extra: { ...sent.extra, old: 1 } } : {}) })
  })
  for (const words of [
    ['create', '--name', 'My project '],
    ['update', '1', '--name', ' My project'],
    ['update', '1', '--set-json', 'extra={"a":1}'],
  ]) {
    expect((await world.run(['projects', ...words], { env })).code).toBe(0)
  }
})

test('13. a 404 after a 500 is a deletion that is inferred', async () => {
  let tries = 0
  const service = await start((asked, response) => {
    if (asked.method !== 'DELETE') return accepting(asked, response)
    if (++tries === 1) json(response, { detail: 'A server error occurred.' }, 500)
    else notFound(response)
  })
  expect((await service.run('persons delete 1 --yes --receipt r.json')).code).toBe(0)
  expect(outcomesOf(service)).toMatchObject([{ id: '1', status: 'deleted', evidence: 'inferred' }])
})

test('13. a 503 that asks to wait is unanswered like any other 5xx', async () => {
  let tries = 0
  const service = await start((asked, response) => {
    if (asked.method !== 'DELETE') return accepting(asked, response)
    if (++tries > 1) return notFound(response)
    response.writeHead(503, { 'retry-after': '0', 'content-type': 'application/json' }).end('{"detail":"Busy."}')
  })
  expect((await service.run('persons delete 1 --delete-events --yes --receipt r.json')).code).toBe(0)
  expect(outcomesOf(service)).toMatchObject([{ id: '1', status: 'deleted', evidence: 'inferred' }])
})

test('14. every --key is taken away', async () => {
  const { run, sent } = await start()
  expect((await run('persons delete-property 1 --key plan --key country --yes')).code).toBe(0)
  expect(sent().map(({ body }) => JSON.parse(body).$unset)).toEqual(['plan', 'country'])
})

test('15. endless ids are refused', async () => {
  const { run, server } = await start()
  const stdin = Array.from({ length: 50 }, (_, i) => `${i + 1}`.repeat(200_000)).join('\n')
  expect((await run('persons delete --from - --yes', { stdin })).code).toBe(2)
  expect(server.asked).toEqual([])
})

test('a DELETE of api writes a receipt of what the service said, and no other request does', async () => {
  const service = await start()
  const path = '/api/projects/2/persons/7/'
  const { code, stderr } = await service.run(`api DELETE ${path} --param delete_events=true --yes --receipt r.json`)
  expect([code, stderr.includes('person 7 of project 2')]).toEqual([0, true])
  expect(service.sent().map(({ path, query }) => [path, query.get('delete_events')])).toEqual([[path, 'true']])
  const receipt = JSON.parse(readFileSync(join(service.world.folder, 'r.json'), 'utf8'))
  expect(receipt).toMatchObject({ command: 'persons delete', project: '2', events: { queued: true } })
  expect(receipt.outcomes).toMatchObject([{ id: '7', status: 'deleted', evidence: 'answered' }])
  for (const line of [
    'GET /api/projects/',
    `DELETE ${path} -i`,
    'DELETE /api/projects/1/x/',
    `DELETE ${path} --param a=b`,
  ]) {
    expect((await service.run(`api ${line} --yes --receipt s.json`)).code).toBe(2)
  }
  expect(service.sent()).toHaveLength(1)
})

test('a count that the rows refute is not repeated', async () => {
  const next = '?offset=3'
  const { run } = await start((_, response) => json(response, { count: 1, next, results: [1, 2, 3].map(personRow) }))
  expect((await run('persons list')).stderr).toBe('Showing 3, and there are more (use --all)\n')
})

test('a split by none of the distinct ids of the person is refused where the person is shown: nobody would keep the properties', async () => {
  const own = ['ada', 'ada-phone']
  const { run, sent } = await start((asked, response) =>
    asked.method === 'GET' ? json(response, { ...personRow(1), distinct_ids: own }) : accepting(asked, response),
  )
  for (const line of ['persons split 1 --main-distinct-id adda', 'persons split 1 --main-distinct-id adda --dry-run']) {
    const { code, stderr } = await run(line, { answers: ['y'] })
    expect([code, stderr]).toEqual([
      10,
      expect.stringContaining('nobody would keep the properties.\nDid you mean ada?'),
    ])
  }
  expect(sent()).toEqual([])
  const { code, stderr } = await run('persons split 1 --main-distinct-id ada-phone', { answers: ['y'] })
  const result = 'ada-phone keeps the properties; 1 new person without properties: ada; this cannot be undone'
  expect([code, stderr]).toEqual([0, expect.stringContaining(result)])
  expect(sent()).toHaveLength(1)
})

test('a task that answers 202 to a PATCH is no other record', async () => {
  const { run } = await start((asked, response) =>
    asked.method === 'GET' ? accepting(asked, response) : json(response, { id: 999, status: 'queued' }, 202),
  )
  expect((await run('persons update 1 2 --set plan=pro --yes')).code).toBe(0)
})

describe('an answer to an update that is no record', () => {
  const answeredWith = (body: unknown, status: number) =>
    start((asked, response) => {
      if (asked.method === 'GET') return accepting(asked, response)
      json(response, body, status)
    })

  test.each([
    ['persons update 1 --set plan=pro --yes', []],
    ['persons update 1 2 --set plan=pro --yes', null],
    ['persons update 1 --set plan=pro --server-format json --yes', []],
    ['projects update 1 --name New --yes', []],
    ['projects update 1 --name New --yes', [{ id: 1, name: 'New' }]],
    ['api PATCH /api/projects/1/ --field name=New --yes', []],
  ])('is refused: %s, %j', async (line, body) => {
    const { run } = await answeredWith(body, 200)
    const { code, stderr } = await run(line)
    expect([code, stderr]).toEqual([5, expect.stringMatching(/: (array|null) in place of a record/)])
  })

  const accepted = /^The service accepted the change of person 1 of project 1 \(.*\); it may apply it later$/m
  test.each([
    ['persons update 1 --set plan=pro', {}, 200, accepted],
    ['persons update 1 --set plan=pro', {}, 202, accepted],
    ['persons update 1 --set plan=pro', [], 202, accepted],
    ['persons split 1 --main-distinct-id a --yes', {}, 201, accepted],
    ['projects create --set-json x=null', {}, 201, /^Created a project/m],
    ['api POST /api/projects/1/x/ -o table', [], 200, /: accepted$/m],
  ])('but is empty says what was done: %s, %j, %i', async (line, body, status, said) => {
    const { run } = await answeredWith(body, status)
    expect(await run(line)).toMatchObject({ code: 0, stdout: '', stderr: expect.stringMatching(said) })
  })

  test('and has a body without the record is not called empty by the raw door', async () => {
    const { run } = await answeredWith({ success: true }, 200)
    const { stdout, stderr } = await run('api PATCH /api/projects/1/persons/7/ --body {} -o ids')
    expect([stdout, stderr]).toEqual([
      '7\n',
      expect.stringMatching(/^PATCH \/api\/projects\/1\/persons\/7\/ \(.*\): accepted\n$/),
    ])
  })

  test.each(['ids', 'json', 'table'])('and lacks what was asked for is a failure in every format: %s', async format => {
    const { run } = await answeredWith({}, 200)
    const { code, stderr } = await run(`projects update 1 --name New -o ${format}`)
    expect([code, stderr]).toEqual([5, expect.stringContaining('The service accepted name and did not apply it')])
  })

  test('is a row in the data formats', async () => {
    const { run } = await answeredWith({}, 200)
    expect((await run('persons update 1 --set plan=pro -o ndjson')).stdout).toBe('{"id":"1","status":"accepted"}\n')
  })
})

describe('a person that comes back as before', () => {
  const before = { email: 'ada@example.com', plan: 'free' }
  /** Answers each write to a person with the person, with these properties. */
  const answeredWith = (properties: unknown) =>
    start((asked, response) => {
      if (isList(asked)) return json(response, emptyPage)
      const [, id] = /\/persons\/(\d+)\//.exec(asked.path) ?? []
      json(response, id === undefined ? { id: 1 } : { id: Number(id), properties })
    })
  const said = expect.stringMatching(
    /The answers? for \d persons? do(es)? not show the change yet; read (it|them) again later/,
  )

  test.each([
    'persons update 1 --set plan=pro --yes',
    'persons update-property 1 --key plan --value pro --yes',
    'persons delete-property 1 --key plan --yes',
    'persons delete-property 1 2 --key plan --yes',
  ])('is not passed over in silence: %s', async line => {
    const { run } = await answeredWith(before)
    expect(await run(line)).toMatchObject({ code: 0, stderr: said })
  })

  test.each([
    ['persons update 1 --set plan=pro --yes', { ...before, plan: 'pro' }],
    ['persons update 1 --set-json n=1.0 --yes', { ...before, n: 1 }],
    ['persons update 1 2 --set-json plan=null --yes', { email: before.email }],
    ['persons update-property 1 2 --key properties.plan --value pro --yes', { 'properties.plan': 'pro' }],
    ['persons delete-property 1 2 --key plan --yes', { email: before.email }],
    // What is no record of properties tells nothing.
    ['persons delete-property 1 2 --key plan --yes', null],
    ['persons delete-property 1 2 --key plan --yes', 'encoded'],
  ])('%s: nothing is said where the answer shows the change', async (line, properties) => {
    const { run } = await answeredWith(properties)
    const { code, stderr } = await run(line)
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('show the change')])
  })
})

describe('a page without next', () => {
  const rows = [1, 2, 3].map(id => ({ ...personRow(id), properties: { email: `p${id}@example.com` } }))
  const pageOf = (page: object) =>
    start((asked, response) => {
      if (asked.method !== 'GET') return accepting(asked, response)
      json(response, isList(asked) ? page : { id: 1, name: 'P' })
    })

  test.each([
    ['persons list --all -o ids', { count: 250, results: rows }],
    ['persons list --limit 200 -o ids', { count: 250, results: rows }],
    ['persons delete --where properties.email~example.com --yes --max 99', { count: 250, results: rows }],
    ['persons list --all -o ids', { detail: 'A server error occurred.', code: 'error', results: [] }],
    ['persons delete --where properties.email~example.com --yes --max 99', { detail: 'No.', results: rows }],
  ])('is not the end where it says more, or of an error: %s', async (line, page) => {
    const { run, sent } = await pageOf(page)
    const { code, stderr } = await run(line)
    expect([code, sent()]).toEqual([5, []])
    expect(stderr).toMatch(/^Unexpected response: (a page without next, although the list has 250 items|an error)/m)
  })

  test.each([
    ['persons list --all -o ids', { results: rows }],
    ['persons list --all -o ids', { count: 3, results: rows }],
    ['persons list --all --offset 247 -o ids', { count: 250, results: rows }],
    ['persons list --limit 3 -o ids', { count: 250, results: rows }],
    ['api GET /api/projects/1/persons/?page=84 --paginate -o ids', { count: 250, results: rows }],
    ['persons list --all -o ids', { count: 250, next: null, results: rows }],
  ])('is the end where nothing speaks against it: %s', async (line, page) => {
    const { run } = await pageOf(page)
    expect(await run(line)).toMatchObject({ code: 0, stdout: '1\n2\n3\n' })
  })
})

describe('a page that names an error', () => {
  const wrong = { error: 'Query timed out', success: false }
  const notFound = (response: Parameters<typeof json>[0]) => json(response, { detail: 'Not found.' }, 404)
  const pageOf = (page: object) =>
    start((asked, response) => {
      if (asked.method !== 'GET') return notFound(response)
      const isPage = isList(asked) || asked.path.endsWith('/trends/')
      json(response, isPage ? { next: null, ...page } : { id: 1, name: 'P' })
    })

  const noRows = { results: [], ...wrong }
  const row = { ...personRow(1), properties: { email: 'p1@example.com' } }
  test.each([
    ['persons delete --emails-from - --yes --max 9', noRows],
    ['persons delete --where properties.email~example.com --yes --max 9', { ...wrong, results: [row] }],
    ['persons delete --email p1@example.com --yes --max 9', { errors: ['No.'], results: [row] }],
    ['persons get --email p1@example.com', { results: [], success: false }],
    ['persons get --email p1@example.com', { results: [], detail: 'Query timed out' }],
    ['persons list', noRows],
    ['persons trends', { ...wrong, results: [] }],
    ['persons delete --emails-from - --yes --max 9', { results: [], status: 'error', message: 'timeout' }],
    ['api GET /api/projects/1/persons/ --paginate', noRows],
  ])('proves nothing: %s', async (line, page) => {
    const { run, sent } = await pageOf(page)
    const { code, stderr } = await run(line, { stdin: 'p1@example.com\n' })
    expect([code, stderr, sent()]).toEqual([5, expect.stringContaining('an error in place of a page'), []])
  })

  test('is found behind other pages, and behind more rows than are kept', async () => {
    const rows = Array.from({ length: 60 }, (_, i) => ({ ...personRow(i + 1), name: 'x'.repeat(200_000) }))
    for (const last of [[], rows]) {
      const { run } = await start((asked, response) => {
        if (!asked.query.has('offset')) return json(response, { results: [personRow(99)], next: '?offset=1' })
        json(response, { results: last, next: null, ...wrong })
      })
      const { code, stderr } = await run('persons list --all -o ids')
      expect([code, stderr]).toEqual([5, expect.stringContaining('an error in place of a page')])
    }
  })

  test('is no list by which a 404 would mean that a person is gone', async () => {
    const { run } = await pageOf(noRows)
    expect(await run('persons delete 1 2 --yes')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('its list is not a page'),
    })
  })

  test.each(['persons list -o ids', 'persons trends -o ids'])('is not one where the error is empty: %s', async line => {
    const empty = { error: null, errors: [], errorMessage: ' ', error_type: 0, success: true, detail: '' }
    for (const page of [empty, { detail: 'From a cache' }]) {
      const { run } = await pageOf({ results: [row], ...page })
      expect(await run(line)).toMatchObject({ code: 0, stdout: '1\n' })
    }
    const { run } = await start((_, response) => {
      response.end('{"results":[{"id":1}],"errors":[ ],"next":null}')
    })
    expect(await run(line)).toMatchObject({ code: 0, stdout: '1\n' })
  })
})
