/** Servers ignore filters that they do not know: what they answer with is checked here. */
import { expect, test } from 'vitest'
import { isList, json, personRow } from '../../server.ts'
import { accepting, ignoringFilters, startService } from '../../service.ts'

test.each([
  '--email=ada@example.com',
  '--property=plan=pro',
  '--search=ada',
  '--distinct-id=ada',
])('a list whose filter the server ignores says so, since a script may hand its rows to a deletion: %s', async filter => {
  const { run } = await startService(ignoringFilters({ plan: 'free' }))
  const { code, stdout, stderr } = await run(`persons list ${filter} -o ids`)
  expect([code, stdout]).toEqual([0, '1\n2\n'])
  expect(stderr).toBe('The server ignored the filter: it answered with person 1, who does not match\n')
  expect((await run('persons list --property plan=free -o ids')).stderr).toBe('')
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
    expect(stderr).toContain('The service sends the same page without end')
    expect(server.asked.length - before).toBeLessThan(110)
  }
})
