import { expect, test } from 'vitest'
import { newWorld } from '../../world.ts'

test('a narrow table shows the base URLs, and leaves out what no profile has before what one has', async () => {
  const world = newWorld()
  const add = (name: string, url: string, ...more: readonly string[]) =>
    world.run(['profiles', 'add', name, '--base-url', url, '--api-key-command', 'op read key', ...more])
  await add('prod', 'https://analytics.example.com', '--safety', 'no-delete')
  await add('staging', 'https://analytics-staging.example.com')
  const { stdout, stderr } = await world.run(['--no-color', 'profiles', 'list'], { columns: 80 })
  expect(stdout.split('\n')).toEqual([
    'Name     In use  Base URL                                Project  Safety',
    'prod     true    https://analytics.example.com/          -        no-delete',
    'staging  false   https://analytics-staging.example.com/  -        -',
    '',
  ])
  expect(stderr).toContain('5 columns left out: organization, max_deletes, require, allow_http, output')
})
