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
