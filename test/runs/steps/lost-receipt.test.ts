/** The folder of the receipt is gone when the run ends. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { json, notFound, personRow } from '../../server.ts'
import { accepting, startService } from '../../service.ts'

async function service(status = 204) {
  const here = await startService((asked, response) => {
    const { method, path } = asked
    if (method === 'GET' && status === 404 && path.endsWith('/1/')) return notFound(response)
    if (method === 'GET') return accepting(asked, response)
    rmSync(join(here.world.folder, 't'), { recursive: true, force: true })
    if (method === 'DELETE' && status !== 204) return json(response, { detail: 'No.' }, status)
    accepting(asked, response)
  })
  mkdirSync(join(here.world.folder, 't'))
  return { ...here, jobs: () => join(here.world.folder, 'state/jobs') }
}

test('of a job: the outcomes are shown, its body is erased, and the receipt can be written again', async () => {
  const { run, jobs } = await service()
  const { code, stdout, stderr } = await run('persons delete 1 2 --yes --receipt t/r.json -o ndjson')
  const [job = ''] = readdirSync(jobs())
  expect([code, stdout.match(/"deleted"/g)?.length]).toEqual([7, 2])
  expect(stderr).toContain('sent requests are not undone')
  expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error.hint).toBe(
    `Write it with: analytics jobs receipt ${job} > FILE`,
  )
  expect(existsSync(join(jobs(), job, 'unsent.json'))).toBe(false)
  expect(JSON.parse((await run(`jobs receipt ${job}`)).stdout)).toMatchObject({
    complete: true,
    counts: { deleted: 2 },
  })
  expect((await run('jobs resume --last')).code).toBe(0)
})

test.each([
  ['persons delete 1 --yes', 'json', '{"id":"1","status":"deleted"}\n'],
  ['persons delete 1 --yes', 'table', ''],
  ['persons update 1 --set plan=pro', 'ids', '1\n'],
])('of one target: %s -o %s shows what was done before it fails', async (line, output, shown) => {
  const { run } = await service()
  const { code, stdout, stderr } = await run(`${line} --receipt t/r.json -o ${output}`)
  expect([code, stdout]).toEqual([7, shown])
  if (output === 'table') expect(stderr).toContain('Deleted person 1 of project 1')
  expect(stderr).toContain('sent requests are not undone')
  expect(stderr).toContain('Write it with: analytics jobs receipt')
})

const lines = [
  'persons delete 1',
  'persons delete 1 2',
  'persons delete 1 --delete-events',
  'persons update 1 --set plan=pro',
  'persons update 1 2 --set plan=pro',
  'persons update-property 1 --key plan --value pro',
  'persons delete-property 1 --key plan',
  'event-definitions delete 1',
  'plugins delete 1',
]

test.each(
  lines.flatMap(line => ['table', 'json', 'ndjson', 'csv', 'ids'].map(format => [line, format] as const)),
)('%s -o %s: a lost receipt is an error, though nobody reads stdout', async (line, format) => {
  for (const readerGone of [false, true]) {
    const { run } = await service()
    const { code, stderr } = await run(`${line} --yes --receipt t/r.json -o ${format}`, { readerGone })
    expect([line, readerGone, code, stderr]).toEqual([
      line,
      readerGone,
      7,
      expect.stringContaining('cannot be written'),
    ])
  }
})

test.each(lines)('%s: a receipt that can be written is written, though nobody reads stdout', async line => {
  const { run, receipt } = await service()
  expect((await run(`${line} --yes --receipt r.json -o json`, { readerGone: true })).code).toBe(0)
  expect(receipt()).toMatchObject({ complete: true })
})

test.each([
  ['persons delete 1 --yes', 400, 5, 'The service refused the request (400)'],
  ['persons delete 1 --yes', 404, 3, 'Person 1 of project 1 was not found'],
  ['persons delete 1 2 --yes', 400, 8, '2 of 2 failed'],
])('%s that is answered with %i ends with that failure, and the lost receipt is said', async (line, status, exit, why) => {
  const { run } = await service(status)
  const { code, stderr } = await run(`${line} --receipt t/r.json`)
  expect(code).toBe(exit)
  expect(stderr).toContain(why)
  expect(stderr).toContain('r.json cannot be written')
  expect(stderr).not.toContain('stays done')
})

test('an answer about another person leaves it unknown whether the events are queued', async () => {
  const { run, world } = await startService(({ method, path }, response) => {
    if (method === 'GET') return json(response, { ...personRow(1), next: null, results: [] })
    if (path.endsWith('/1/')) return json(response, { ...personRow(7), distinct_ids: ['d7'] })
    response.writeHead(204).end()
  })
  expect((await run('persons delete 1 2 --yes --delete-events --concurrency 1 --receipt r.json')).code).toBe(5)
  const receipt = () => JSON.parse(readFileSync(join(world.folder, 'r.json'), 'utf8'))
  expect(receipt()).toMatchObject({ events: { queued: null }, counts: { failed: 1, left: 1 } })
  const { stdout } = await run(`jobs receipt ${receipt().job} --html r.html`)
  expect([stdout, readFileSync(join(world.folder, 'r.html'), 'utf8')]).toEqual([
    '',
    expect.stringContaining('<th scope="row">Events queued</th><td>not known</td>'),
  ])
})
