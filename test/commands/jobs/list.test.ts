import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startJobs } from '../../jobs/stored.ts'
import { newWorld } from '../../world.ts'

test('with --everywhere a narrow table shows the server of each job, so that sandbox and production can be told apart', async () => {
  const world = newWorld()
  const update = ['persons', 'update', '1', '2', '--set', 'plan=pro', '--yes']
  const env = { ANALYTICS_API_KEY: 'made-up', ANALYTICS_PROJECT: '42' }
  await world.run(['--sandbox', ...update])
  await world.run(['--base-url', 'http://127.0.0.1:1', '--retries', '0', ...update], { env })
  const { stdout, stderr } = await world.run(['--sandbox', '--no-color', 'jobs', 'list', '--everywhere'], {
    columns: 80,
  })
  expect(stdout.split('\n')).toEqual([
    'Created           Command         ID                      Base URL',
    '2026-05-15 12:00  persons update  20260515-120000-i000-2  http://127.0.0.1:1/',
    '2026-05-15 12:00  persons update  20260515-120000-i000    http://sandbox.invali…',
    '',
  ])
  expect(stderr).toContain('7 columns left out: reason, state, done, total, failed, project, actor')
})

test('a list looks at the ends of a journal that was closed, and at all of one that was not', async () => {
  const { run, world, jobs, onlyJob, mend } = await startJobs()
  await run('persons update-property 7 8 9 --key plan --value secret --yes')
  const path = join(jobs, onlyJob(), 'journal')
  const counted = async () => {
    const [job] = JSON.parse((await run('jobs list -o json')).stdout) as Record<string, unknown>[]
    return [job?.state, job?.done, job?.failed]
  }
  expect(await counted()).toEqual(['failed', 2, 1])
  const whole = readFileSync(path, 'utf8')
  writeFileSync(path, whole.slice(0, whole.lastIndexOf('["closed"')))
  expect(await counted()).toEqual(['running', 2, 1])
  world.pid++
  expect(await counted()).toEqual(['failed', 2, 1])
  // Nobody looks between the ends.
  writeFileSync(path, whole.replace('["updated",0', '["deleted",0'))
  expect(await counted()).toEqual(['failed', 2, 1])
  expect((await run(`jobs show ${onlyJob()}`)).code).toBe(10)
  writeFileSync(path, whole)
  mend()
  await run(`jobs resume ${onlyJob()}`)
  expect(await counted()).toEqual(['done', 3, 0])
})

test('jobs list shows those of the server in use, with --everywhere all, and a beginning of an id will do', async () => {
  const { run, world, server } = await startJobs()
  await run('persons delete 7 8 --yes')
  await world.run(['persons', 'delete', '7', '8', '--yes', '--sandbox'])
  const listed = async (line: string, more = {}) => {
    const { stdout } = await run(`jobs list -o json${line}`, { env: more })
    return (JSON.parse(stdout) as { base_url: string; project: string }[]).map(job => [job.base_url, job.project])
  }
  const [here, sandbox] = [
    [server.url, '1'],
    ['http://sandbox.invalid/', '1'],
  ]
  expect(await listed('')).toEqual([here])
  expect(await listed(' --sandbox')).toEqual([sandbox])
  expect(await listed(' --everywhere')).toEqual([sandbox, here])
  expect(await listed('', { ANALYTICS_BASE_URL: '' })).toEqual([sandbox, here])
  // Of the two jobs that begin so, one is of the server in use.
  expect((await run('jobs show 20260515-12 --sandbox')).stdout).toContain('http://sandbox.invalid/')
  expect((await run('jobs show 20260515-12')).stdout).toContain(server.url)
  for (const part of ['i000', '-', '0260515', '']) {
    expect([part, (await run(`jobs show ${part}`)).code]).toEqual([part, 2])
    expect([part, (await run(`jobs resume ${part}`)).code]).toEqual([part, 2])
  }
  await run('persons delete 7 8 --yes')
  const { code, stderr } = await run('jobs show 20260515-12')
  expect([code, stderr]).toEqual([2, expect.stringContaining('2 jobs begin with "20260515-12"')])
})
