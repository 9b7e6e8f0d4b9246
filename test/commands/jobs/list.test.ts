import { expect, test } from 'vitest'
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
    'ID                      Command         State        Base URL',
    '20260515-120000-i000-2  persons update  interrupted  http://127.0.0.1:1/',
    '20260515-120000-i000    persons update  done         http://sandbox.invalid/',
    '',
  ])
  expect(stderr).toContain('5 columns left out: project, total, done, failed, created_at')
})

test('--where and --limit choose among the jobs, as in lists of the service', async () => {
  const world = newWorld()
  const run = (line: string) => world.run(['--sandbox', ...line.split(' ')])
  await run('persons delete 3 4 --yes')
  await run('persons delete 5 6 --yes --max-duration 0s')
  const interrupted = await run('jobs list --where state=interrupted -o ids')
  expect([interrupted.stdout, interrupted.stderr]).toEqual([
    '20260515-120000-i000-2\n',
    expect.stringContaining('1 of 2 rows matches'),
  ])
  expect((await run('jobs list --limit 1 -o ids')).stdout).toBe('20260515-120000-i000-2\n')
  const mistyped = await run('jobs list --where !stat')
  expect([mistyped.code, mistyped.stderr]).toEqual([2, expect.stringContaining('did you mean state?')])
})
