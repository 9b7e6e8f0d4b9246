/** `--where` on lists: paging, field names, and the report of rows that do not match. */
import { expect, test } from 'vitest'
import { json, personRow } from '../server.ts'
import { startService } from '../service.ts'

const rows = Array.from({ length: 25 }, (_, i) => ({ ...personRow(i + 1), properties: { n: i + 1 } }))

/** Answers ten rows a page, and ignores filters. */
async function pages(all: readonly unknown[]) {
  const service = await startService(({ query }, response) => {
    const from = Number(query.get('offset') ?? 0)
    const next = from + 10 < all.length ? `?offset=${from + 10}` : null
    json(response, { count: all.length, next, previous: null, results: all.slice(from, from + 10) })
  })
  const list = async (...argv: string[]) => {
    const { code, stdout, stderr } = await service.world.run(['persons', 'list', '-o', 'ids', ...argv], service)
    return { code, ids: stdout.split('\n').filter(Boolean).map(Number), stderr }
  }
  return { ...service, list }
}

test('a list is read until enough rows match; --offset skips matches, and is not sent', async () => {
  const { list, server } = await pages(rows)
  const some = await list('--where', 'properties.n>5', '--offset', '2', '--limit', '6')
  expect(some).toEqual({
    code: 0,
    ids: [8, 9, 10, 11, 12, 13],
    stderr: '',
  })
  expect(server.asked.map(({ query }) => query.get('offset'))).toEqual([null, '10'])
  expect(await list('--where', 'properties.n>20')).toEqual({
    code: 0,
    ids: [21, 22, 23, 24, 25],
    stderr: '',
  })
  expect((await list('--where', 'properties.n>3', '--property', 'n<6')).ids).toEqual([4, 5])
})

const organization = ['--organization', '@current']

test.each([
  ...['persons list', 'plugins list', 'event-definitions list', 'projects list'].map(line => [line, 2] as const),
  ...['persons activity', 'persons funnel', 'persons trends', 'plugins repository'].map(line => [line, 0] as const),
])('an empty response of %s: exit code %i for an unknown field', async (line, code) => {
  const { world, env } = await startService((_, response) => json(response, { next: null, results: [] }))
  const argv = [...line.split(' '), '--where', 'mistyped=x', ...organization, '-o', 'ndjson']
  expect(await world.run(argv, { env })).toMatchObject({ code, stdout: '' })
})

test('projects can be filtered only by the fields of list items', async () => {
  const { world, env } = await pages([{ id: 1, name: 'Shop', is_demo: false }])
  const run = async (where: string) => world.run(['projects', 'list', '--where', where, '-o', 'ids'], { env })
  expect(await run('is_demo=false')).toMatchObject({ code: 0, stdout: '1\n' })
  expect(await run('anonymize_ips=true')).toMatchObject({ code: 2, stdout: '' })
})

test('an undocumented field can be used if a row has it', async () => {
  const { list } = await pages(rows.map((row, i) => (i === 12 ? { ...row, odd: { x: 1 } } : row)))
  expect((await list('--where', 'odd.x=1')).ids).toEqual([13])
  expect((await list('--where', '!odd')).ids).toHaveLength(24)
})

test('after 10,000 rows without a field, its name counts as mistyped', async () => {
  const { world, env } = await startService(({ query }, response) => {
    const from = Number(query.get('offset') ?? 0)
    const results = Array.from({ length: 1000 }, (_, i) => personRow(from + i + 1))
    json(response, { next: `?limit=1000&offset=${from + 1000}`, results })
  })
  const ran = await world.run(['persons', 'list', '--where', '!created_bye', '-o', 'ids'], { env })
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.stderr).toContain('None of the first 10,000 rows has the field created_bye')
})

test('a property whose name has dots is found by its whole name', async () => {
  const odd = (i: number) => (i === 12 ? { 'T.O.S.': null } : i > 12 ? { 'T.O.S.': 'yes', a: { '.b': 1 } } : {})
  const { list } = await pages(rows.slice(0, 15).map((row, i) => ({ ...row, properties: odd(i) })))
  expect((await list('--where', '!properties.T.O.S.')).ids).toHaveLength(13)
  expect((await list('--where', 'properties.T.O.S.')).ids).toEqual([14, 15])
})

test('a person without visible properties never matches a negation', async () => {
  const { list } = await pages([{ ...personRow(1), properties: undefined }, personRow(2)])
  expect((await list('--where', 'properties.plan!=pro')).ids).toEqual([2])
})

test('a person with a thousand distinct ids or more is read whole', async () => {
  const ids = Array.from({ length: 1500 }, (_, i) => `d${i}`)
  const { world, env } = await startService(({ path }, response) => {
    const isOne = path.endsWith('/1/')
    const person = { ...personRow(1), distinct_ids: isOne ? ids : ids.slice(0, 1000) }
    json(response, isOne ? person : { next: null, results: [person] })
  })
  const list = async (...filter: string[]) =>
    (await world.run(['persons', 'list', ...filter, '-o', 'ids'], { env })).stdout
  expect(await list('--where', 'distinct_ids=d1400')).toBe('1\n')
  expect(await list('--where', 'distinct_ids!=d1400')).toBe('')
  expect(await list('--search', 'd1400')).toBe('1\n')
  expect(await list('--distinct-id', 'd1400')).toBe('1\n')
})

test.each([
  ['--search', 'nobody', 2],
  ['--distinct-id', 'nobody', 2],
  ['--email', 'nobody@example.com', 2],
  ['--property', 'plan=free', 1],
  ['--properties', '[{"key":"plan","value":"free","operator":"is_not","type":"person"}]', 1],
])('%s %s leaves out rows that do not match, and a warning counts them', async (option, value, ignored) => {
  const plans = ['pro', 'free'].map((plan, i) => ({ ...personRow(i + 1), properties: { plan } }))
  const { list } = await pages(plans)
  const { code, ids, stderr } = await list(option, value)
  expect([code, ids.length]).toEqual([0, 2 - ignored])
  expect(stderr).toContain(`Skipped ${ignored} row${ignored === 1 ? '' : 's'} from the server that did not match`)
  expect(stderr).toContain('the server may ignore the filter')
})

const entry = { key: 'plan', value: 'pro', operator: 'exact', type: 'person' }

test.each<[unknown, string]>([
  [{}, ': this is not a JSON list'],
  [[], ': this is not a JSON list'],
  [[entry, 'plan'], ': entry 2 needs a key, a value'],
  [[{ ...entry, key: undefined }], ': entry 1 needs a key, a value'],
  [[{ ...entry, key: ' ' }], ': entry 1 needs a key, a value'],
  [[{ ...entry, type: 'event' }], ': entry 1 needs a key, a value'],
  [[{ ...entry, operator: 'equals' }], ': entry 1 needs a key, a value'],
  [[{ ...entry, type: 'cohort', operator: 'equals' }], ': entry 1 needs a key, a value'],
  [[{ value: 7, type: 'cohort' }], ': entry 1 needs a key, a value'],
  [[{ ...entry, operator: 'is_date_from' }], ': entry 1 needs a key, a value'],
  [[{ ...entry, value: ' ' }], ': entry 1 has a value that cannot be checked here'],
  [[{ ...entry, value: '(', operator: 'regex' }], ': entry 1 has a value that cannot be checked here'],
  [[{ ...entry, value: null }], ': entry 1 needs a key, a value'],
  [[{ ...entry, value: [] }], ': entry 1 has a value that cannot be checked here'],
])('--properties that servers would ignore are refused before any request: %j', async (given, says) => {
  const { list, server } = await pages(rows)
  const { code, stderr } = await list('--properties', JSON.stringify(given))
  expect([code, stderr, server.asked]).toEqual([2, expect.stringContaining(`--properties${says}`), []])
})

test.each([
  [{ ...entry, operator: undefined }],
  [{ ...entry, value: ['pro', 'team'] }],
  [{ ...entry, value: '(?i)PRO', operator: 'regex' }],
  [{ ...entry, value: false, operator: 'is_not' }],
  [{ key: 'plan', operator: 'is_set', type: 'person' }],
  [{ key: 'seen', value: '-30d', operator: 'is_date_before', type: 'person' }],
])('--properties that servers understand are sent as they are: %j', async given => {
  const { list, server } = await pages([{ ...personRow(1), properties: { plan: 'pro', seen: '2020-01-01' } }])
  const text = JSON.stringify([given])
  expect(await list('--properties', text)).toMatchObject({ code: 0, ids: [1] })
  expect(server.asked[0]?.query.get('properties')).toBe(text)
})

test('a cohort is sent with a warning that it is not checked; other entries are checked', async () => {
  const { list } = await pages([{ ...personRow(1), properties: { plan: 'pro' } }])
  const cohort = { key: 'id', value: 7, type: 'cohort' }
  const passed = await list('--properties', JSON.stringify([cohort, entry]))
  expect(passed).toMatchObject({ code: 0, ids: [1] })
  expect(passed.stderr).toContain('1 entry of type cohort')
  expect((await list('--properties', JSON.stringify([cohort, { ...entry, value: 'free' }]))).ids).toEqual([])
})
