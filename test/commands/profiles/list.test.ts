import { expect, test } from 'vitest'
import { newWorld } from '../../world.ts'

test('a narrow table shows the base URLs whole', async () => {
  const world = newWorld()
  const add = (name: string, url: string, ...more: readonly string[]) =>
    world.run(['profiles', 'add', name, '--base-url', url, '--api-key-command', 'op read key', ...more])
  await add('prod', 'https://analytics.example.com', '--safety', 'no-delete')
  await add('staging', 'https://analytics-staging.example.com')
  const { stdout, stderr } = await world.run(['--no-color', 'profiles', 'list'], { columns: 80 })
  expect(stdout.split('\n')).toEqual([
    'Name     In use  Base URL                                Project  Organization',
    'prod     true    https://analytics.example.com/          -        -',
    'staging  false   https://analytics-staging.example.com/  -        -',
    '',
  ])
  expect(stderr).toContain('5 columns left out: safety, max_deletes, require, allow_http, output')
})
