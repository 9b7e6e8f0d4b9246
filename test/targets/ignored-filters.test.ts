/** Servers ignore filters that they do not know, or search more widely: what they answer with is checked here. */
import { expect, test } from 'vitest'
import * as fc from '../fast-check.ts'
import { type ReferenceRecord, selects, selectsPerson, type Typed, typedText } from '../filters/reference.ts'
import { type Asked, isList, json, personId, personRow } from '../server.ts'
import { accepting, ignoringFilters, startService } from '../service.ts'

/** `older`: knows fewer operators. `wide`: also searches in names and parts of ids, and in any case. */
type Reads = 'all' | 'nothing' | 'no properties' | 'older' | 'wide'

const signs: Readonly<Record<string, Typed['sign']>> = {
  exact: '=',
  is_not: '!=',
  icontains: '~',
  not_icontains: '!~',
  gt: '>',
  lt: '<',
  gte: '>=',
  lte: '<=',
  is_set: 'set',
  is_not_set: 'not set',
}
const unknownToOlder = new Set(['gte', 'lte', 'not_icontains'])

interface Entry {
  readonly key: string
  readonly operator: string
  readonly value: unknown
}

function finds(reads: Reads, query: URLSearchParams, person: ReferenceRecord): boolean {
  if (reads === 'nothing') return true
  const [email, distinctId, search] = ['email', 'distinct_id', 'search'].map(name => query.get(name) ?? undefined)
  const isWide = reads === 'wide' && search !== undefined && JSON.stringify(person).includes(search)
  if (!isWide && !selectsPerson({ ...(search === undefined ? {} : { search }) }, person)) return false
  if (!selectsPerson({ ...(email && { email }), ...(distinctId && { distinctId }) }, person)) return false
  const entries: readonly Entry[] = JSON.parse(query.get('properties') ?? '[]')
  return entries.every(({ key, operator, value }) => {
    if (reads === 'no properties' || (reads === 'older' && unknownToOlder.has(operator))) return true
    if (operator === 'regex') return reads === 'wide' || new RegExp(String(value)).test(String(own(person)[key] ?? ''))
    const sign = signs[operator]
    return sign === undefined || selects({ key, sign, value: String(value) }, own(person))
  })
}

function own({ properties }: ReferenceRecord): ReferenceRecord {
  return properties as ReferenceRecord
}

const plans = fc.constantFrom('pro', 'Pro', 'free', null)
const people = fc.array(
  fc.record(
    {
      plan: plans,
      orders: fc.constantFrom(1, '1.0', 2, 'x'),
      email: fc.constantFrom('ada@example.com', 'bo@example.com'),
    },
    { requiredKeys: [] },
  ),
  { minLength: 2, maxLength: 6 },
)
const property: fc.Arbitrary<Typed> = fc.oneof(
  fc.record({
    key: fc.constant('plan'),
    sign: fc.constantFrom('=', '!=', '~', '!~', 'set', 'not set'),
    value: fc.constantFrom('pro', 'free'),
  }),
  fc.record({
    key: fc.constant('orders'),
    sign: fc.constantFrom('=', '>', '<', '>=', '<='),
    value: fc.constantFrom('1', '2'),
  }),
)
const chosen = fc
  .record({
    words: fc.record(
      {
        email: fc.constant('ada@example.com'),
        search: fc.constantFrom('ada@', 'person-1', 'Person', 'erson-'),
        distinctId: fc.constant('person-2'),
      },
      { requiredKeys: [] },
    ),
    property: fc.array(property, { maxLength: 2 }),
  })
  .filter(({ words, property }) => Object.keys(words).length + property.length > 0)

test.each<Reads>([
  'all',
  'nothing',
  'no properties',
  'older',
  'wide',
])('nobody who does not match is shown or changed, where the server reads of filters: %s', async reads => {
  let rows: readonly ReferenceRecord[] = []
  const { server, world, env, sent } = await startService((asked, response) => {
    if (!isList(asked)) return accepting(asked, response)
    json(response, { next: null, results: rows.filter(row => finds(reads, asked.query, row)) })
  })
  await fc.assert(
    fc.asyncProperty(people, chosen, fc.boolean(), async (found, { words, property }, byJson) => {
      rows = found.map((properties, i) => ({ ...personRow(i + 1), properties }))
      const typed = [
        ...(words.email === undefined ? [] : ['--email', words.email]),
        ...(words.search === undefined ? [] : ['--search', words.search]),
        ...(words.distinctId === undefined ? [] : ['--distinct-id', words.distinctId]),
      ]
      const listed = byJson && property.length > 0 ? ['--properties', entriesOf(property)] : typedFilters(property)
      const { search, ...exact } = words
      const isExact = (row: ReferenceRecord) =>
        selectsPerson(exact, row) && property.every(one => selects(one, own(row)))
      const isMeant = (row: ReferenceRecord) => isExact(row) && (search === undefined || mentions(row, search))
      const list = await world.run(['persons', 'list', ...typed, ...listed, '--all', '-o', 'ids'], { env })
      const shown = rows.filter(({ id }) => list.stdout.split('\n').includes(String(id)))
      expect(shown.every(isExact)).toBe(true)
      const asked = () => server.asked.filter(isList).length
      for (const yes of [['--yes'], ['--dry-run']]) {
        const before = [sent().length, asked()] as const
        const argv = ['persons', 'delete', ...typed, ...typedFilters(property), '--max', '99', ...yes, '-o', 'ndjson']
        const { code, stdout } = await world.run(argv, { env })
        const changed = yes[0] === '--yes' ? sent().slice(before[0]).map(idOf) : plannedIn(stdout)
        const meant = rows.filter(isMeant).map(({ id }) => id)
        expect(meant).toEqual(expect.arrayContaining(changed))
        expect([0, 10]).toContain(code)
        if (code === 10) expect(changed).toEqual([])
        // An honest server is not called a liar, and one that ignores a filter that matters is found out.
        if (reads === 'all' || reads === 'wide') expect([list.code, code]).toEqual([0, code === 10 ? -1 : 0])
        if (reads === 'nothing' && meant.length < rows.length) expect(code).toBe(10)
        if (reads === 'nothing' && !rows.every(isMeant)) expect([list.code, shown]).toEqual([10, []])
        // A search of the service finds less than what counts as found here.
        if (code === 0 && search === undefined) expect(changed.toSorted()).toEqual(meant.toSorted())
      }
    }),
    { numRuns: 12 },
  )
})

function typedFilters(property: readonly Typed[]): string[] {
  return property.flatMap(one => ['--property', typedText(one)])
}

function entriesOf(property: readonly Typed[]): string {
  const operators = new Map(Object.entries(signs).map(([operator, sign]) => [sign, operator]))
  return JSON.stringify(
    property.map(({ key, sign, value }) => ({ key, value, operator: operators.get(sign), type: 'person' })),
  )
}

/** As product and docs say of a search: the uuid, or any text within the distinct ids and properties. */
function mentions({ distinct_ids, properties, uuid }: ReferenceRecord, search: string): boolean {
  const texts = [...(distinct_ids as string[]), ...Object.values(properties as object)]
  return (
    uuid === search || texts.some(text => typeof text === 'string' && text.toLowerCase().includes(search.toLowerCase()))
  )
}

function idOf({ path }: Asked): number {
  return personId(path)
}

function plannedIn(stdout: string): number[] {
  return stdout
    .split('\n')
    .filter(Boolean)
    .map(line => personId(JSON.parse(line).url))
}

test.each([
  '--email=ada@example.com',
  '--property=plan=pro',
  '--search=ada',
  '--distinct-id=ada',
  '--properties=[{"key":"plan","value":"pro","operator":"exact","type":"person"}]',
])('a list whose filter the server ignores prints no row, since a script may hand its rows to a deletion: %s', async filter => {
  const { run } = await startService(ignoringFilters({ plan: 'free' }))
  const { code, stdout, stderr } = await run(`persons list ${filter} -o ids`)
  expect([code, stdout]).toEqual([10, ''])
  expect(stderr).toContain('The server ignored the filter: it answered with person 1, who does not match')
  expect((await run('persons list --property plan=free -o ids')).stderr).toBe('')
})

/** Honest, but answers with strangers too: those of an index that lags behind, for example. */
const withStrangers = (pages: readonly (readonly number[])[]) =>
  startService((asked, response) => {
    if (!isList(asked)) return accepting(asked, response)
    const { query } = asked
    const isKnown = query.get('properties')?.includes('pro"') ?? query.get('search') === 'pro'
    const page = Number(query.get('page') ?? 0)
    const row = (id: number) => ({ ...personRow(id), properties: { plan: id < 50 ? 'pro' : 'free' } })
    const next = page + 1 < pages.length ? `?page=${page + 1}&properties="pro"&search=pro` : null
    json(response, isKnown ? { next, results: pages[page]?.map(row) ?? [] } : { next: null, results: [] })
  })

test('rows of an honest server that do not match are left out and counted, and the server is asked once', async () => {
  const { run, sent, server } = await withStrangers([[1, 51], [52, 2, 3], [53]])
  const list = await run('persons list --property plan=pro --all -o ids')
  expect([list.code, list.stdout]).toEqual([0, '1\n2\n3\n'])
  expect(list.stderr).toBe('3 persons who do not match the filter are left out\n')
  expect(server.asked).toHaveLength(4)
  expect((await run('persons list --property plan=pro --limit 2 -o ids')).stdout).toBe('1\n2\n')
  const { code, stderr } = await run('persons delete --property plan=pro --expect 3 --yes')
  expect([code, sent().map(idOf)]).toEqual([0, [1, 2, 3]])
  expect(stderr).toContain('3 persons who do not match the filter are left out')
})

test.each([
  ['--search=pro', 'persons list --search=pro'],
  ['a pattern', 'persons list --properties=[{"key":"plan","value":"^pro","operator":"regex","type":"person"}]'],
])('what an honest server finds more widely by %s is shown in a list', async (_, line) => {
  const { run } = await withStrangers([[1, 51]])
  expect(await run(`${line} -o ids`)).toMatchObject({ code: 0, stdout: '1\n51\n', stderr: '' })
})

test('what an honest server finds more widely by a search is no target', async () => {
  const { run, sent } = await withStrangers([[1, 51]])
  expect((await run('persons delete --search pro --max 9 --yes')).code).toBe(0)
  expect(sent().map(idOf)).toEqual([1])
})

const entry = { key: 'plan', value: 'pro', operator: 'exact', type: 'person' }

test.each<[unknown, string]>([
  [{}, 'must be a JSON list'],
  [[], 'must be a JSON list'],
  ['plan', 'must be a JSON list'],
  [[entry, 'plan'], 'entry 2 is no object'],
  [[{ ...entry, key: undefined }], 'entry 1 has no key'],
  [[{ ...entry, key: ' ' }], 'entry 1 has no key'],
  [[{ ...entry, key: 5 }], 'entry 1 has no key'],
  [[{ ...entry, type: undefined }], 'entry 1 has no "type":"person"'],
  [[{ ...entry, type: 'event' }], 'entry 1 has no "type":"person"'],
  [[{ ...entry, operator: 'equals' }], 'entry 1 has another operator than exact is_not'],
  [[{ ...entry, operator: 'is_date_from' }], 'entry 1 has another operator than exact is_not'],
  [[{ ...entry, operator: 1 }], 'entry 1 has another operator than exact is_not'],
  [[{ ...entry, value: '' }], 'entry 1 has an empty value'],
  [[{ ...entry, value: ' \u200b' }], 'entry 1 has an empty value'],
  [[{ ...entry, value: undefined }], 'entry 1 has an empty value'],
  [[{ ...entry, value: null }], 'entry 1 has an empty value'],
  [[{ ...entry, value: [] }], 'entry 1 has an empty value'],
  [[{ ...entry, value: ['pro', ''] }], 'entry 1 has an empty value'],
])('--properties that servers would drop in silence is refused, and nothing is asked: %j', async (given, says) => {
  const { world, env, server } = await startService(ignoringFilters({}))
  const { code, stdout, stderr } = await world.run(['persons', 'list', '--properties', JSON.stringify(given)], { env })
  expect([code, stdout, server.asked]).toEqual([2, '', []])
  expect(stderr).toContain(`--properties${says.startsWith('must') ? ' ' : ': '}${says}`)
})

test.each([
  [{ ...entry, operator: undefined }],
  [{ ...entry, value: ['pro', 'team'] }],
  [{ ...entry, value: false, operator: 'is_not' }],
  [{ key: 'plan', operator: 'is_set', type: 'person' }],
  [{ key: 'seen', value: '-30d', operator: 'is_date_before', type: 'person' }],
])('--properties that servers read is sent as it is: %j', async given => {
  const { world, env, server } = await startService(ignoringFilters({ plan: 'pro', seen: '2020-01-01' }))
  const text = JSON.stringify([given])
  const { code, stdout } = await world.run(['persons', 'list', '-o', 'ids', '--properties', text], { env })
  expect([code, stdout, server.asked[0]?.query.get('properties')]).toEqual([0, '1\n2\n', text])
})

test('a cohort is passed on and said not to be checked; the entry beside it is checked', async () => {
  const { world, env } = await startService(ignoringFilters({ plan: 'pro' }))
  const list = (...entries: unknown[]) =>
    world.run(['persons', 'list', '-o', 'ids', '--properties', JSON.stringify(entries)], { env })
  const cohort = { key: 'id', value: 7, type: 'cohort' }
  const passed = await list(cohort, entry)
  expect([passed.code, passed.stdout]).toEqual([0, '1\n2\n'])
  expect(passed.stderr).toContain('1 entry of type cohort is not checked here')
  expect(await list(cohort, { ...entry, value: 'free' })).toMatchObject({ code: 10, stdout: '' })
})

test.each([
  1767225600,
  '12/31/2026',
  '',
  '2025-05-01',
  null,
  true,
])('%j is not before a date, though the server ignored the filter', async seen => {
  const { run, sent } = await startService(ignoringFilters({ seen }))
  expect((await run('persons delete --property seen<2024-01-01 --yes --max 100')).code).toBe(10)
  expect(sent()).toEqual([])
})

test.each([
  undefined,
  null,
  [],
  '{"plan":"pro"}',
])('of a person whose properties are %j nobody knows that one is missing', async properties => {
  const { run, sent } = await startService((asked, response) => {
    if (asked.method !== 'GET') return accepting(asked, response)
    json(response, isList(asked) ? { next: null, results: [{ ...personRow(1), properties }] } : { id: 1, name: 'P' })
  })
  for (const filter of ['plan!=pro', '!email', 'plan=pro']) {
    const { code, stderr } = await run(`persons delete --property ${filter} --yes --max 100`)
    expect([code, stderr]).toEqual([10, expect.stringContaining('The server ignored the filter')])
  }
  expect(sent()).toEqual([])
})

test('what it says to do instead can be done: ids as arguments, or in a file', async () => {
  const { run } = await startService(ignoringFilters({ plan: 'free' }))
  const { code, stderr } = await run('persons delete --property plan=pro --yes --max 9')
  expect([code, stderr]).toEqual([10, expect.stringMatching(/as arguments, or in a file with --from FILE/)])
})

test('a date before that one is', async () => {
  const { run, sent } = await startService(ignoringFilters({ seen: '2023-05-01T10:00:00Z' }))
  expect((await run('persons delete --property seen<2024-01-01 --yes --max 100')).code).toBe(0)
  expect(sent()).toHaveLength(2)
})

test('a list that ignores the offset and always has a next page ends, and nobody is deleted', async () => {
  const { run, sent, server } = await startService((asked, response) => {
    if (!isList(asked)) return accepting(asked, response)
    const offset = Number(asked.query.get('offset') ?? 0)
    json(response, { next: `?limit=2&offset=${offset + 2}`, results: [personRow(1), personRow(2)] })
  })
  for (const where of ['id>0', 'id<0']) {
    const before = server.asked.length
    const { code, stderr } = await run(`persons delete --where ${where} --yes --max 9`)
    expect([code, sent()]).toEqual([5, []])
    expect(stderr).toContain('The service led back to a page already read')
    expect(server.asked.length - before).toBeLessThan(5)
  }
})
