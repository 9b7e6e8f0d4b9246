/** What is checked first: usage, project and key, safety level, limits, terminal; nothing is sent or asked before. */
import { expect, test } from 'vitest'
import { json } from '../../server.ts'
import { accepting, startService } from '../../service.ts'

const writes = [
  'api DELETE /api/projects/{project}/persons/1/',
  'api DELETE /api/projects/1/',
  'api POST /api/projects/{project}/persons/1/split/ --field main_distinct_id=a',
  'api DELETE /api/organizations/{organization}/plugins/1/',
  'api POST /api/projects/{project}/sweep/',
  'persons delete 1',
  'persons delete --property plan=free --max 9',
  'persons split 1 --main-distinct-id a',
  'persons split 1 --wipe-properties',
  'plugins delete 1',
  'projects delete 1',
]
const kept = [
  'persons update --all --set a=b',
  'api PATCH /api/projects/{project}/ --field name=x',
  'api POST /api/organizations/{organization}/plugins/ --field name=x',
  'plugins create --name x',
  'plugins upgrade 1',
  'projects create --name x',
  'projects update 1 --name x',
]

test.each([
  ...[...writes, ...kept].map(line => [line, 'read-only'] as const),
  ...writes.map(line => [line, 'no-delete'] as const),
])('%s is refused under %s before any prompt or request', async (line, level) => {
  const { world, server, env } = await startService()
  const refused = await world.run(line.split(' '), { env: { ...env, ANALYTICS_SAFETY: level }, answers: ['y'] })
  expect([refused.code, refused.stderr]).toEqual([10, expect.stringContaining(`The safety level ${level} blocks`)])
  expect(refused.stderr).not.toContain('--yes to confirm')
  expect(server.asked).toEqual([])
})

test.each([
  ...writes,
  ...kept,
])('%s: a missing key or project is reported before a safety level and a prompt', async line => {
  const { world, server, env } = await startService()
  for (const more of [{}, { ANALYTICS_SAFETY: 'read-only' }]) {
    const noKey = await world.run(line.split(' '), { env: { ...env, ...more, ANALYTICS_API_KEY: '' } })
    expect([noKey.code, noKey.stderr]).toEqual([4, expect.stringContaining('No key given')])
    if (/project\w* (delete|update|create)|projects\/1/.test(line)) continue
    const noProject = await world.run(line.split(' '), { env: { ...env, ...more, ANALYTICS_PROJECT: '' } })
    expect([noProject.code, noProject.stderr]).toEqual([2, expect.stringMatching(/^No (project|organization) /)])
  }
  expect(server.asked).toEqual([])
})

test('usage comes first', async () => {
  const { world, env } = await startService()
  for (const line of [
    'api DELETE /api/projects/@current/',
    'api DELETE /api/projects/{project}/',
    'api POST /api/projects/ --paginate',
    'api POST /api/projects/{project}/persons/%2e%2e/',
    'persons delete 1 2 --max 1 --max 5 --yes',
    'persons delete 1 2 --concurrency 30000000 --yes',
  ]) {
    const all = { ...env, ANALYTICS_SAFETY: 'read-only', ANALYTICS_PROJECT: '@current' }
    expect([line, (await world.run(line.split(' '), { env: all })).code]).toEqual([line, 2])
  }
})

test('a safety level refuses a resume before any request, even to read the organization', async () => {
  let fails = true
  const { world, server, env } = await startService((asked, response) =>
    fails && asked.method === 'DELETE' ? json(response, { detail: 'Down.' }, 503) : accepting(asked, response),
  )
  const begun = await world.run(['plugins', 'delete', '1', '2', '--yes', '--retries', '0'], { env })
  expect(begun.code).toBe(8)
  fails = false
  const [, job = ''] = /jobs resume (\S+)/.exec(begun.stderr) ?? []
  const before = server.asked.length
  for (const level of ['read-only', 'no-delete']) {
    const refused = await world.run(['jobs', 'resume', job], { env: { ...env, ANALYTICS_SAFETY: level } })
    expect([level, refused.code, server.asked.length]).toEqual([level, 10, before])
  }
  expect((await world.run(['jobs', 'resume', job], { env })).code).toBe(0)
})
