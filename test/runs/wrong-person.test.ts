/** Ways to delete the wrong person: each must match exactly the target, or no person. */
import { expect, test } from 'vitest'
import { json } from '../server.ts'
import { accepting, startService, writesOf } from '../service.ts'

interface Row {
  readonly id: number
  readonly name?: string | null
  readonly distinct_ids?: readonly string[]
  readonly properties?: unknown
}

/** A service that ignores what `ignores` names, as servers ignore what they do not know; two rows a page, some empty. */
function serve(rows: readonly Row[], ignores: readonly string[] = []) {
  return startService(({ method, path, query }, response) => {
    if (method === 'DELETE') return void response.writeHead(204).end()
    if (/\/\d+\/$/.test(path) && !path.endsWith('/persons/')) return json(response, rowOf(rows, path))
    const asked = (name: string) => (ignores.includes(name) ? null : query.get(name))
    const [email, search, distinct] = [asked('email'), asked('search'), asked('distinct_id')]
    const found = rows.filter(row => {
      const own = (row.properties as { email?: unknown } | undefined)?.email
      const isEmail = email === null || own === email
      const isSearched = search === null || String(own).toLowerCase().includes(search.toLowerCase())
      return isEmail && isSearched && (distinct === null || row.distinct_ids?.includes(distinct))
    })
    const from = Number(query.get('offset') ?? -1)
    // The first page of each list is empty.
    const results = from < 0 ? [] : found.slice(from, from + 2)
    const to = Math.max(0, from + 2)
    const next = from < 0 ? 0 : to < found.length ? to : undefined
    const link = new URLSearchParams(query)
    link.set('offset', String(next))
    json(response, { next: next === undefined ? null : `?${link}`, results })
  })
}

function rowOf(rows: readonly Row[], path: string): unknown {
  return rows.find(({ id }) => String(id) === path.split('/').at(-2)) ?? { id: 1, name: 'Shop' }
}

async function deleted(here: Awaited<ReturnType<typeof serve>>, argv: readonly string[], stdin?: string) {
  const command = argv[0] === 'event-definitions' ? argv : ['persons', 'delete', ...argv]
  const options = { env: here.env, ...(stdin === undefined ? {} : { stdin }) }
  const { code, stderr } = await here.world.run([...command, '--yes', '--max', '99'], options)
  const ids = writesOf(here.server.asked).map(({ path }) => Number(path.split('/').at(-2)))
  return { code, stderr, ids: ids.toSorted((a, b) => a - b) }
}

const composed = 'zo\u00eb@example.com'
const decomposed = 'zoe\u0308@example.com'
const emails: readonly Row[] = [
  composed,
  decomposed,
  'ZOE@example.com',
  'zoe@example.com.',
  'zoe@example.com',
  ' zoe@example.com',
  'z\u043ee@example.com',
  'zoe@example.com\u200b',
].map((email, i) => ({ id: i + 1, distinct_ids: [`d${i}`], properties: { email } }))

test.each([
  [composed, [1]],
  [decomposed, [2]],
  ['zoe@example.com.', [4]],
  ['zoe@example.com', [5]],
  ['Zoe@example.com', []],
  ['zoe@example.co', []],
  ['zoe@example.com\u200b', [8]],
])('the email %j is compared exactly', async (email, ids) => {
  expect((await deleted(await serve(emails), ['--email', email])).ids).toEqual(ids)
  expect((await deleted(await serve(emails), ['--emails-from', '-'], `${email}\n`)).ids).toEqual(ids)
})

test('other capitalization is found behind the first page; reading ends if the server ignores the search', async () => {
  const many = Array.from({ length: 9 }, (_, i) => ({ id: i + 1, properties: { email: `${i}zoe@example.com` } }))
  const rows = [...many, { id: 10, properties: { email: 'ZOE@example.com' } }]
  const { stderr, ids } = await deleted(await serve(rows), ['--emails-from', '-'], 'zoe@example.com\n')
  expect([stderr, ids]).toEqual([expect.stringContaining('Person 10 has it with different capitalization'), []])
  const here = await serve(rows, ['search'])
  await deleted(here, ['--emails-from', '-'], 'other@example.com\n')
  // The exact look-up, and of the search the empty page and the next one; one page may be read ahead.
  expect(here.server.asked.length).toBeLessThanOrEqual(5)
})

const values: readonly Row[] = [
  { n: 7 },
  { n: '7' },
  { n: '07' },
  { n: '٧' },
  { n: null },
  { n: [7, 8] },
  { n: [] },
  { n: { a: 7 } },
  { 'n.a': 7, n: { a: 8 } },
  {},
  { n: 'null' },
  { n: true },
].map((properties, i) => ({ id: i + 1, distinct_ids: [], properties }))

test.each([
  ['properties.n=7', [1, 2, 6]],
  ['properties.n=07', [3]],
  ['properties.n>6', [1, 2, 3, 6]],
  ['properties.n<8', [1, 2, 3, 6]],
  ['properties.n=null', [11]],
  ['properties.n.a=7', [8, 9]],
  ['properties.n.a=8', []],
  ['properties.n.0=7', [6]],
  ['properties.n~7', [1, 2, 3, 6, 8]],
  ['properties.n=true', [12]],
  ['properties.n>-90d', []],
])('--where %s', async (where, ids) => {
  expect((await deleted(await serve(values), ['--where', where])).ids).toEqual(ids)
})

test('--where !properties.n', async () => {
  expect((await deleted(await serve(values), ['--where', '!properties.n', '--expect', '2'])).ids).toEqual([5, 10])
})

/** The test's clock says 12:00 of 15 May 2026; clocks went forward on 29 March at 02:00 in Berlin. */
const times: readonly Row[] = [
  '2026-03-29T01:59:59+01:00',
  '2026-03-29T03:00:00+02:00',
  '2026-03-29 02:30',
  '2026-02-14T12:00:00Z',
  '2026-02-14T11:59:59Z',
  '2026-02-14T13:00:01+01:00',
  '2025-05-15T12:00:00Z',
  '2025-05-15',
  '15.05.2020',
  1767225600,
].map((seen, i) => ({ id: i + 1, distinct_ids: [], properties: { seen } }))

test.each([
  ['properties.seen<2026-03-29T01:00:00Z', [1, 4, 5, 6, 7, 8]],
  ['properties.seen<-90d', [5, 7, 8]],
  ['properties.seen<-2160h', [5, 7, 8]],
  ['properties.seen>2026-03-29T01:00:00Z', [3]],
])('--where %s, near a change of clocks and to the second', async (where, ids) => {
  expect((await deleted(await serve(times), ['--where', where])).ids).toEqual(ids)
})

test.each([
  '--where=properties.seen<-90d',
  '--property=seen<-90d',
])('%s means one instant for all pages', async filter => {
  const seen = ['2026-02-14T11:59:59Z', '2026-02-14T12:30:00Z']
  let isFirst = true
  const here = await startService(({ method, path, query }, response) => {
    if (method === 'DELETE') return void response.writeHead(204).end()
    if (!path.endsWith('/persons/')) return json(response, { id: 1, name: 'Shop' })
    const isSecond = query.has('page')
    // The service asks for an hour between the pages: by then the other person was not seen for 90 days either.
    if (isSecond && isFirst) {
      isFirst = false
      return json(response.setHeader('retry-after', '3600'), { detail: 'Throttled.' }, 429)
    }
    const row = { id: isSecond ? 2 : 1, distinct_ids: [], properties: { seen: seen[isSecond ? 1 : 0] } }
    json(response, { next: isSecond ? null : '?page=2', results: [row] })
  })
  const { code, ids } = await deleted(here, [filter])
  expect(here.world.clock.sleeps).toContain(3_600_000)
  expect([code, ids]).toEqual([0, [1]])
})

test('a definition without a name is not called null, and two names may differ in case only', async () => {
  const rows = [
    { id: 1, name: null },
    { id: 2, name: 'Order' },
    { id: 3, name: 'order' },
  ]
  const byName = (name: string) => ['event-definitions', 'delete', '--by-name', name]
  expect(await deleted(await serve(rows), byName('null'))).toMatchObject({ code: 3, ids: [] })
  expect((await deleted(await serve(rows), byName('order'))).ids).toEqual([3])
  const here = await serve(rows)
  const update = ['event-definitions', 'update', '--rows', '-']
  expect((await deleted(here, update, 'name,tags\nOrder,"[""a""]"\norder,"[""b""]"\n')).ids).toEqual([2, 3])
})

test('a definition that is renamed while the list is read is not changed', async () => {
  const id = '018f0000-0000-4000-8000-000000000001'
  const { run, sent } = await startService((asked, response) => {
    if (asked.method !== 'GET') return accepting(asked, response)
    const isFirst = !asked.query.has('offset')
    const next = isFirst ? '?offset=1' : null
    json(response, { count: 2, next, previous: null, results: [{ id, name: isFirst ? 'a' : 'b' }] })
  })
  const update = ['event-definitions', 'update', '--rows', '-', '--yes']
  const rows = 'name,tags\na,"[""ta""]"\nb,"[""tb""]"\n'
  for (const ran of [
    await run('event-definitions delete --by-name a --by-name b --yes'),
    await run(update.join(' '), { stdin: rows }),
  ]) {
    expect([ran.code, ran.stderr]).toEqual([10, expect.stringContaining('are one event definition')])
  }
  expect(sent()).toEqual([])
})

test.each([
  ['--distinct-ids-from -', 8, 'found-again'],
  ['018f0000-0000-4000-8000-00000000000d', 10, undefined],
])('a person with more distinct ids than a list item shows is recognized: %s', async (words, code, error) => {
  const name = '018f0000-0000-4000-8000-00000000000d'
  const all = Array.from({ length: 1000 }, (_, i) => `d${i}`)
  let isFirst = words.startsWith('--')
  const { run, receipt } = await startService(({ method, path, query }, response) => {
    if (path.endsWith('/persons/6/')) return json(response, { id: 6, distinct_ids: [...all, name] })
    if (method === 'DELETE' || !path.endsWith('/persons/')) return json(response, { detail: 'Not found.' }, 404)
    const row = isFirst && query.has('distinct_id') ? { id: 5, distinct_ids: [name] } : { id: 6, distinct_ids: all }
    isFirst = false
    json(response, { next: null, previous: null, results: [row] })
  })
  const ran = await run(`persons delete ${words} --yes --receipt r.json`, { stdin: `${name}\n` })
  expect([ran.code, receipt().outcomes[0]?.error ?? undefined]).toEqual([code, error])
})
