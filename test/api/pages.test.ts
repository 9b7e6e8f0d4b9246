/** Where a list ends, and which pages prove nothing. */
import { describe, expect, test } from 'vitest'
import { isList, json, notFound, personRow } from '../server.ts'
import { accepting, startService } from '../service.ts'

describe('a page without next', () => {
  const rows = [1, 2, 3].map(id => ({ ...personRow(id), properties: { email: `p${id}@example.com` } }))
  const pageOf = (page: object) =>
    startService((asked, response) => {
      if (asked.method !== 'GET') return accepting(asked, response)
      json(response, isList(asked) ? page : { id: 1, name: 'P' })
    })

  test.each([
    ['persons list --all -o ids', { count: 250, results: rows }],
    ['persons list --limit 200 -o ids', { count: 250, results: rows }],
    ['persons delete --where properties.email~example.com --yes --max 99', { count: 250, results: rows }],
    ['persons list --all -o ids', { detail: 'A server error occurred.', code: 'error', results: [] }],
    ['persons delete --where properties.email~example.com --yes --max 99', { detail: 'No.', results: rows }],
  ])('does not end a list if it names more rows or an error: %s', async (line, page) => {
    const { run, sent } = await pageOf(page)
    const { code, stderr } = await run(line)
    expect([code, sent()]).toEqual([5, []])
    expect(stderr).toMatch(/^Unexpected response: (the last page ended after \d+ of 250 items|an error)/m)
  })

  test('is reported as incomplete if the count is larger', async () => {
    const { run } = await pageOf({ count: 250, results: rows })
    expect(await run('persons list -o ids')).toMatchObject({ code: 0, stderr: 'Showing 3 of 250 (use --all)\n' })
  })

  test.each([
    ['persons list --all -o ids', { results: rows }],
    ['persons list --all -o ids', { count: 3, results: rows }],
    ['persons list --all --offset 247 -o ids', { count: 250, results: rows }],
    ['persons list --limit 3 -o ids', { count: 250, results: rows }],
    ['api GET /api/projects/1/persons/?page=84 --paginate -o ids', { count: 250, results: rows }],
    ['persons list --all -o ids', { count: 250, next: null, results: rows }],
  ])('ends a list otherwise: %s', async (line, page) => {
    const { run } = await pageOf(page)
    expect(await run(line)).toMatchObject({ code: 0, stdout: '1\n2\n3\n' })
  })
})

describe('a page that names an error', () => {
  const wrong = { error: 'Query timed out', success: false }
  const pageOf = (page: object) =>
    startService((asked, response) => {
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
    ['api GET /api/projects/1/persons/ --paginate', noRows],
  ])('proves nothing: %s', async (line, page) => {
    const { run, sent } = await pageOf(page)
    const { code, stderr } = await run(line, { stdin: 'p1@example.com\n' })
    expect([code, stderr, sent()]).toEqual([5, expect.stringContaining('an error instead of a page'), []])
  })

  test('is recognized after other pages and after many rows', async () => {
    const rows = Array.from({ length: 60 }, (_, i) => ({ ...personRow(i + 1), name: 'x'.repeat(200_000) }))
    for (const last of [[], rows]) {
      const { run } = await startService((asked, response) => {
        if (!asked.query.has('offset')) return json(response, { results: [personRow(99)], next: '?offset=1' })
        json(response, { results: last, next: null, ...wrong })
      })
      const { code, stderr } = await run('persons list --all -o ids')
      expect([code, stderr]).toEqual([5, expect.stringContaining('an error instead of a page')])
    }
  })

  test('does not prove that a person is gone', async () => {
    const { run } = await pageOf(noRows)
    expect(await run('persons delete 1 2 --yes')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('returns no valid list of persons'),
    })
  })

  test.each(['persons list -o ids', 'persons trends -o ids'])('is not one where the error is empty: %s', async line => {
    const empty = { error: null, errors: [], errorMessage: ' ', error_type: 0, success: true, detail: '' }
    for (const page of [empty, { detail: 'From a cache' }]) {
      const { run } = await pageOf({ results: [row], ...page })
      expect(await run(line)).toMatchObject({ code: 0, stdout: '1\n' })
    }
    const { run } = await startService((_, response) => {
      response.end('{"results":[{"id":1}],"errors":[ ],"next":null}')
    })
    expect(await run(line)).toMatchObject({ code: 0, stdout: '1\n' })
  })
})

test.each([
  ['persons delete --where id=1 --yes --max 9', '[{"id":1}]'],
  ['persons delete --email ada@example.com --max 1 --yes', '[]'],
  ['persons delete --emails-from - --yes', '[]'],
  ['persons get --email ada@example.com', '[]'],
  ['event-definitions delete --by-name paid --yes', '[]'],
])('a list that is not a page does not prove that a person is gone: %s', async (line, body) => {
  const { run, sent } = await startService((_, response) => void response.end(body))
  const { code, stderr } = await run(line, { stdin: 'ada@example.com\n' })
  expect([code, stderr, sent()]).toEqual([5, expect.stringContaining('a list instead of a page'), []])
})

test.each([
  ['before the rows', '{"count":2,"next":"?offset=1","results":[{"id":1}]}', ['', '1']],
  ['behind the rows', '{"results":[{"id":1}],"next":"?offset=1"}', ['', '1']],
  [
    'behind rows that have such a member',
    '{"count":2,"results":[{"id":1,"next":"?offset=9"}],"next":"?offset=1"}',
    ['', '1'],
  ],
  ['twice, where the last one counts', '{"next":"?offset=9","results":[{"id":1}],"next":"?offset=1"}', ['', '9', '1']],
])('next is followed %s', async (_, page, offsets) => {
  const { run, server } = await startService(({ query }, response) => {
    const offset = query.get('offset')
    response.end(offset === null ? page : offset === '1' ? '{"next":null,"results":[{"id":2}]}' : '{"results":[]}')
  })
  expect(await run('persons list --all -o ids')).toMatchObject({ code: 0, stdout: '1\n2\n' })
  expect(server.asked.map(({ query }) => query.get('offset') ?? '')).toEqual(offsets)
})

test('a count that the rows contradict is not shown', async () => {
  const next = '?offset=3'
  const { run } = await startService((_, response) =>
    json(response, { count: 1, next, results: [1, 2, 3].map(personRow) }),
  )
  expect((await run('persons list')).stderr).toBe('Showing 3; there are more (use --all)\n')
})

const filtered = 'persons delete --where properties.email~example.com --yes --max 999'

test.each([
  ['persons list --all -q -o ids', 'identical'],
  [filtered, 'identical'],
  ['persons list --all -q -o ids', 'empty'],
  ['persons list --where properties.plan=pro -o ids', 'empty'],
  [filtered, 'empty'],
  ['api GET /api/projects/1/persons/ --paginate', 'empty'],
])('a list without end is refused: %s with %s pages', async (line, pages) => {
  const row = { ...personRow(1), properties: { email: 'p1@example.com' } }
  let offset = 0
  const { run, server, sent } = await startService((_, response) =>
    json(response, { next: `?offset=${++offset}`, results: pages === 'empty' ? [] : [row] }),
  )
  const { code, stderr } = await run(line)
  const says = '100 empty or identical pages in a row: the list has no end.\n'
  expect([code, stderr, sent()]).toEqual([5, expect.stringContaining(says), []])
  expect(server.asked.length).toBeLessThanOrEqual(102)
})

test('99 empty pages, and pages without a match, do not end a list', async () => {
  let offset = 0
  const { run } = await startService((_, response) => {
    const rows = ++offset % 100 === 0 ? [personRow(offset)] : []
    json(response, { next: offset < 400 ? `?offset=${offset}` : null, results: rows })
  })
  expect((await run('persons list --all -q -o ids')).stdout).toBe('100\n200\n300\n400\n')
  let page = 0
  const other = await startService((_, response) =>
    json(response, { next: ++page < 150 ? `?offset=${page}` : null, results: [personRow(page)] }),
  )
  expect(await other.run('persons list --where properties.plan=pro -o ids')).toMatchObject({ code: 0, stdout: '' })
})

test.each([
  'event-definitions delete --by-name paid --yes',
  'persons delete --emails-from - --yes',
  'persons delete --where id>0 --max 9 --yes',
])('a list whose next link repeats is refused, since more rows may match: %s', async line => {
  const row = { id: 1, name: 'paid', properties: { email: 'ada@example.com' } }
  const { run, sent } = await startService((asked, response) =>
    json(response, { next: `?${asked.query}`, results: [row] }),
  )
  expect((await run(line, { stdin: 'ada@example.com\n' })).code).toBe(5)
  expect(sent()).toEqual([])
})
