/** Filters and `--all` choose targets: lists are read to the end, and rows are checked here. */
import { expect, test } from 'vitest'
import { isList, json, personRow } from '../server.ts'
import { accepting, startService } from '../service.ts'
import { newWorld } from '../world.ts'

async function dryRun(line: string) {
  const argv = ['--sandbox', ...line.split(' '), '--dry-run', '-o', 'ndjson']
  const { code, stdout } = await newWorld().run(argv)
  return [code, stdout.split('\n').filter(Boolean).length]
}

test.each([
  ['event-definitions delete --where name~basket', 0, 1],
  ['event-definitions update --post-to-slack --where last_seen_at<2026-03-29T18:00:00Z', 0, 1],
  ['plugins delete --where is_global=false', 0, 3],
  ['persons delete --where properties.plan=pro --where created_at<2026-04-01', 0, 9],
  ['persons delete --property plan=pro --where created_at<2026-04-01', 0, 9],
  ['event-definitions delete --all --expect 12', 0, 12],
  ['event-definitions update --post-to-slack --all', 0, 12],
  ['plugins delete --all --expect 5', 0, 5],
  ['persons delete --all --expect 55', 0, 55],
  ['persons delete --all', 2, 0],
  ['plugins delete --all', 2, 0],
  ['event-definitions delete --all', 2, 0],
  ['persons delete --all 2', 2, 0],
  ['persons delete --all --where id>0', 2, 0],
  ['persons delete --all --from ids', 2, 0],
  ['persons delete --where propertees.plan=pro', 2, 0],
])('%s exits with %i and would send %i requests', async (line, code, count) => {
  expect(await dryRun(line)).toEqual([code, count])
})

test('rows that do not match the filter are counted and not changed, and a repeated row is one target', async () => {
  const { run, sent } = await startService((asked, response) => {
    if (!isList(asked)) return accepting(asked, response)
    const isFirst = !asked.query.has('offset')
    const rows = (isFirst ? [1, 51, 2] : [2, 52, 3]).map(id => ({
      ...personRow(id),
      properties: { plan: id < 50 ? 'pro' : 'free' },
    }))
    json(response, { next: isFirst ? '?offset=3' : null, results: rows })
  })
  const { code, stderr } = await run('persons delete --property plan=pro --expect 3 --yes --concurrency 1')
  expect([code, sent().map(({ path }) => path.split('/').at(-2))]).toEqual([0, ['1', '2', '3']])
  expect(stderr).toContain('Skipped 2 rows from the server that did not match: the server may ignore the filter')
})

test.each([
  'plan!=pro',
  '!plan',
  'plan=free',
  'email=x',
])('a person whose properties are hidden is not a target: %s', async filter => {
  const { run, sent } = await startService((asked, response) => {
    if (!isList(asked)) return accepting(asked, response)
    json(response, { next: null, results: [{ ...personRow(1), properties: undefined }, { id: 2 }] })
  })
  expect((await run(`persons delete --property ${filter} --expect 0 --yes`)).code).toBe(0)
  expect(sent()).toEqual([])
})

test('a malformed id in a list stops the run', async () => {
  for (const id of ['../../1', '', null, 1.5, -3]) {
    const { run, sent } = await startService((asked, response) => {
      if (!isList(asked)) return accepting(asked, response)
      json(response, { next: null, results: [personRow(1), { ...personRow(2), id }] })
    })
    expect([id, (await run('persons delete --where name~p --max 9 --yes')).code, sent()]).toEqual([id, 5, []])
  }
})
