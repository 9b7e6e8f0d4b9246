import { describe, expect, test } from 'vitest'
import { endpoints } from '../../src/api/endpoints.ts'
import * as fc from '../fast-check.ts'
import { type Visit, visit } from './visit.ts'

const persons = '/api/projects/1/persons/'

async function namesOf({ get }: Visit, query: string): Promise<string[]> {
  const { results } = await get(`${persons}?limit=1000&${query}`)
  return results.map(person => person.name)
}

/** Follows `next` as a careful client does: its query only, at the address it asked first. */
async function everyId({ get }: Visit, first: string): Promise<{ ids: string[]; pages: number }> {
  const ids: string[] = []
  const seen = new Set<string>()
  let url = new URL(first, 'http://sandbox.invalid/')
  for (let pages = 1; ; pages++) {
    if (seen.has(url.search)) throw new Error(`${url.search} came twice`)
    seen.add(url.search)
    const { results, next } = await get(url.pathname + url.search)
    ids.push(...results.map(one => String(one.id)))
    if (next === null) return { ids, pages }
    url = new URL(new URL(next, url).search, url)
  }
}

test('persons hold no half of a surrogate pair, which some readers of JSON refuse', async () => {
  const { get } = await visit()
  const { results } = await get(`${persons}?limit=1000`)
  // Only halves are escaped.
  expect([results.length > 50, JSON.stringify(results).match(/\\ud[89a-f]../g)]).toEqual([true, null])
})

describe('pages', () => {
  test('are counted, newest first, with links to their neighbours', async () => {
    const { get } = await visit()
    const page = await get(`${persons}?limit=2&offset=2`)
    expect(page.count).toBe(55)
    expect(page.next).toBe('http://sandbox.invalid/api/projects/1/persons/?limit=2&offset=4')
    expect(page.previous).toBe('http://sandbox.invalid/api/projects/1/persons/?limit=2&offset=0')
    expect(page.results.map(person => person.id)).toEqual([53, 52])
  })

  test('hold a hundred where nobody says how many, and end with no link', async () => {
    const { get } = await visit()
    expect(await get(persons)).toMatchObject({ next: null, previous: null })
    expect((await get(`${persons}?offset=54`)).results).toHaveLength(1)
    expect((await get(`${persons}?offset=99`)).results).toEqual([])
  })

  test.each(['limit=x', 'limit=0', 'limit=-1', 'offset=1.5'])('are refused for %s', async query => {
    const documented = await visit()
    expect((await documented.ask('GET', `${persons}?${query}`)).json).toMatchObject({ attr: query.split('=')[0] })
    const observed = await visit({ dialect: 'observed' })
    expect((await observed.ask('GET', `${persons}?${query}`)).status).toBe(query === 'limit=0' ? 400 : 500)
  })

  test('in the observed dialect are not counted, name persons by UUID, and link to hosts that nobody knows', async () => {
    const { get } = await visit({ dialect: 'observed' })
    const links = []
    for (const offset of [0, 10, 20]) links.push((await get(`${persons}?limit=10&offset=${offset}`)).next)
    expect(links).toEqual([
      'http://analytics-web.internal:8000/api/projects/1/persons/?limit=10&offset=10',
      'api/projects/1/persons/?limit=10&offset=20',
      'http://sandbox.invalid/api/projects/1/persons/?limit=10&offset=30',
    ])
    const page = await get(persons)
    expect(Object.keys(page)).toEqual(['next', 'previous', 'results'])
    expect(page.results[0]?.id).toBe(page.results[0]?.uuid)
  })

  test('lead to every row once, short ones and empty ones included', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('documented' as const, 'observed' as const),
        fc.integer({ min: 1, max: 70 }),
        fc.nat(),
        async (dialect, limit, seed) => {
          const whole = await everyId(await visit({ dialect }), persons)
          const short = await everyId(
            await visit({ dialect, faults: 'short-pages', seed }),
            `${persons}?limit=${limit}`,
          )
          expect(short.ids).toEqual(whole.ids)
        },
      ),
      { numRuns: 12 },
    )
  })

  test('can be short and empty at all', async () => {
    const { get } = await visit({ faults: 'short-pages', seed: 3 })
    const lengths = []
    for (let i = 0; i < 40; i++) {
      const { results, next } = await get(`${persons}?limit=2`)
      expect(next).not.toBeNull()
      lengths.push(results.length)
    }
    expect([...new Set(lengths)].sort()).toEqual([0, 1, 2])
  })

  test.each([
    endpoints.plugins.list.path,
    endpoints.eventDefinitions.list.path,
    endpoints.projects.list.path,
  ])('of %s hold its rows, the newest first', async path => {
    const here = await visit()
    const filled = path.replace(':project_id', '1').replace(':parent_lookup_organization_id', '@current')
    const { ids, pages } = await everyId(here, `${filled}?limit=2`)
    const { count, results } = await here.get(filled)
    expect(ids).toEqual(results.map(one => String(one.id)))
    expect([count, pages]).toEqual([ids.length, Math.ceil(ids.length / 2)])
  })

  describe.each(['documented', 'observed'] as const)('of more than ten objects, %s', dialect => {
    const numbers = (results: readonly { readonly id: number | string }[]) => results.map(({ id }) => Number(id))
    const from = (newest: number) => Array.from({ length: newest }, (_, i) => newest - i)

    test('list plugins by number, the newest first, unused ones too', async () => {
      const { ask, get } = await visit({ dialect })
      const plugins = '/api/organizations/@current/plugins/'
      const { count } = await get(plugins)
      const before: unknown = await get(`${plugins}unused/`)
      for (let id = count + 1; id <= 12; id++) await ask('POST', plugins, `{"name":"p${id}","plugin_type":"source"}`)
      expect(numbers((await get(plugins)).results)).toEqual(from(12))
      expect(numbers((await get(`${plugins}?limit=3`)).results)).toEqual([12, 11, 10])
      const unused: unknown = await get(`${plugins}unused/`)
      if (dialect === 'documented') expect(unused).toMatchObject({ id: 12 })
      else expect(unused).toEqual([...from(12).slice(0, 12 - count), ...(before as number[])])
    })

    test('list projects by number, and the current one is the one with the lowest', async () => {
      const { ask, get } = await visit({ dialect })
      const { count } = await get('/api/projects/')
      for (let id = count + 1; id <= 12; id++) await ask('POST', '/api/projects/', `{"name":"Shop ${id}"}`)
      expect(numbers((await get('/api/projects/')).results)).toEqual(from(12))
      for (let id = 1; id <= 8; id++) await ask('DELETE', `/api/projects/${id}/`)
      expect((await get('/api/projects/@current/')).id).toBe(9)
    })
  })

  test('of a view in the observed dialect go on as well', async () => {
    const { get, ask } = await visit({ dialect: 'observed' })
    const first = await get(`${persons}trends/?limit=50`)
    expect([first.results[0]?.people.length, first.results[0]?.count]).toEqual([50, 50])
    const second = await ask('POST', `${persons}funnel/?limit=50&offset=50`, '{}')
    expect(second.json).toMatchObject({ next: null, results: [{ count: 5 }] })
  })
})

describe('filters', () => {
  const property = (...entries: object[]) => `properties=${encodeURIComponent(JSON.stringify(entries))}`
  const where = (key: string, operator: string, value?: unknown) => property({ key, operator, value, type: 'person' })

  test('find by e-mail address and by distinct id', async () => {
    const here = await visit()
    expect(await namesOf(here, 'search=ada')).toEqual(['Ada Lovelace'])
    expect(await namesOf(here, 'search=ADA@')).toEqual(['Ada Lovelace'])
    expect(await namesOf(here, 'search=ada-phone')).toEqual(['Ada Lovelace'])
    expect(await namesOf(here, 'search=da-phone')).toEqual([])
    expect(await namesOf(here, 'search=%25')).toEqual([])
    expect(await namesOf(here, 'email=ada@example.com')).toEqual(['Ada Lovelace'])
    expect(await namesOf(here, 'email=ADA@example.com')).toEqual([])
    expect(await namesOf(here, 'distinct_id=1815-12-10')).toEqual(['Ada Lovelace'])
    expect(await namesOf(here, 'search=example&email=ada@example.com')).toEqual(['Ada Lovelace'])
  })

  test.each([
    [where('name', 'exact', 'Ada Lovelace'), 1],
    [where('name', 'exact', ['Ada Lovelace', 'Grace Hopper']), 2],
    [where('plan', 'exact', 'pro'), 13],
    [where('plan', 'is_not', 'pro'), 42],
    [where('name', 'icontains', 'LOVE'), 1],
    [where('name', 'not_icontains', 'LOVE'), 54],
    [where('email', 'regex', '^[a-b].*@example\\.com$'), 5],
    [where('email', 'not_regex', '^[a-b].*@example\\.com$'), 50],
    [where('loyalty_number', 'exact', '9007199254740993'), 1],
    [where('loyalty_number', 'exact', '9007199254740992'), 0],
    [where('loyalty_number', 'gt', '9007199254740992'), 1],
    [where('loyalty_number', 'gt', '9007199254740993'), 0],
    [where('loyalty_number', 'gte', '9007199254740993'), 1],
    [where('orders', 'gt', 11), 1],
    [where('orders', 'lt', 1), 4],
    [where('orders', 'lte', 12), 43],
    [where('orders', 'gt', 'many'), 0],
    // One person has a phone, and it is null.
    [where('phone', 'is_set'), 0],
    [where('phone', 'is_not_set'), 55],
    [where('constructor', 'is_set'), 0],
    [property({ key: 'plan', value: 'pro', type: 'person' }, { key: 'country', value: 'GB', type: 'person' }), 1],
  ])('%s finds %i', async (query, count) => {
    for (const dialect of ['documented', 'observed'] as const) {
      const found = await namesOf(await visit({ dialect }), query)
      expect([dialect, decodeURIComponent(query), found.length]).toEqual([dialect, decodeURIComponent(query), count])
    }
  })

  test.each([
    ['an unknown parameter', 'emial=ada@example.com', 'emial'],
    ['no list', 'properties={}', 'properties'],
    ['no key', property({ value: 'pro', type: 'person' }), 'properties'],
    ['no value', property({ key: 'plan', type: 'person' }), 'properties'],
    ['an operator that there is not', where('plan', 'like', 'pro'), 'properties'],
    ['an operator of objects', where('plan', 'toString', 'pro'), 'properties'],
    ['a pattern that is none', where('plan', 'regex', '('), 'properties'],
    ['another type', property({ key: 'plan', value: 'pro', type: 'event' }), 'properties'],
  ])('with %s are refused as documented, and find everyone as observed', async (_, query, attr) => {
    const documented = await visit()
    const { status, json } = await documented.ask('GET', `${persons}?${query}`)
    expect([status, json.attr]).toEqual([400, attr])
    expect(await namesOf(await visit({ dialect: 'observed' }), query)).toHaveLength(55)
  })

  test('with no JSON are refused in both dialects', async () => {
    for (const dialect of ['documented', 'observed'] as const) {
      const { status, json } = await (await visit({ dialect })).ask('GET', `${persons}?properties=plan`)
      expect([status, json.attr]).toEqual([400, 'properties'])
    }
  })

  test('without a type find everyone in the observed dialect', async () => {
    const query = property({ key: 'plan', value: 'library' })
    expect(await namesOf(await visit(), query)).toHaveLength(6)
    expect(await namesOf(await visit({ dialect: 'observed' }), query)).toHaveLength(55)
  })
})

describe('format=csv', () => {
  test('is one page with a column for each field', async () => {
    const { ask } = await visit()
    const { headers, text } = await ask('GET', `${persons}?format=csv&search=ada@`)
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(text.split('\r\n')[0]).toBe('id,name,distinct_ids,properties,created_at,uuid')
    expect(text).toContain('55,Ada Lovelace,"[""ada"",""ada-phone"",""1815-12-10""]","{""email"":')
  })

  test('in the observed dialect has columns that vary, and no words for an error', async () => {
    const { ask } = await visit({ dialect: 'observed' })
    expect((await ask('GET', `${persons}?format=csv&search=ada@`)).text.split('\r\n')[0]).toMatch(
      /^type,id,uuid,created_at,properties\.email,.*,distinct_ids\.0,distinct_ids\.1,distinct_ids\.2,/,
    )
    expect(await ask('GET', `${persons}999/?format=csv`)).toMatchObject({ status: 404, text: '' })
    expect((await ask('GET', `${persons}?format=xml`)).status).toBe(404)
  })
})
