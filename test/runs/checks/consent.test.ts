/** What a prompt shows, and what confirms it. */
import { expect, test } from 'vitest'
import { json, personRow } from '../../server.ts'
import { accepting, ignoringFilters, startService } from '../../service.ts'

test('--yes does not confirm an unknown number of targets', async () => {
  const { run, server, sent } = await startService(ignoringFilters({ plan: 'free' }))
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
  ['persons delete --property plan=free', ' --max 2'],
  ['persons delete-property --key plan --where properties.plan=free', ' --max 2'],
  ['persons delete --property plan=free --max 2', ''],
  ['persons delete --all --expect 2', ''],
  ['persons delete 1', ''],
])('the hint of a refusal without a terminal works: %s', async (line, limit) => {
  const { run } = await startService(ignoringFilters({ plan: 'free' }))
  const refused = await run(line)
  expect([refused.code, refused.stderr]).toEqual([
    10,
    expect.stringMatching(limit ? /--yes with --max N/ : /--yes to confirm\.\n$/),
  ])
  expect((await run(`${line} --yes${limit}`)).code).toBe(0)
})

test('api prompts for the name of the project that it deletes', async () => {
  const { run, sent } = await startService((asked, response) =>
    asked.method === 'GET' ? json(response, { id: 3, name: 'Shop' }) : accepting(asked, response),
  )
  for (const line of ['api DELETE /api/projects/2/', 'projects delete 2']) {
    expect((await run(line, { answers: ['Shop'] })).code).toBe(5)
  }
  expect(sent()).toEqual([])
  expect((await run('api DELETE /api/projects/3/', { answers: ['Shop'] })).code).toBe(0)
  expect(sent()).toHaveLength(1)
})

test('a very long name is cut in the preview and in the plan', async () => {
  const long = 'N'.repeat(20_000)
  const { run } = await startService((asked, response) =>
    json(response, asked.path.includes('/persons/') ? { ...personRow(1), name: long } : { id: 1, name: long }),
  )
  for (const line of ['persons delete 1 --dry-run', 'persons update 1 --set name=x --dry-run']) {
    const { code, stdout, stderr } = await run(line)
    expect([code, stderr]).toEqual([0, expect.stringMatching(/ person 1 of project 1 "N{99}…" /)])
    expect(stdout).toMatch(/^1 {2}N{100}/)
    expect(stdout.length + stderr.length).toBeLessThan(4000)
  }
})
