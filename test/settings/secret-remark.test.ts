/** What is said of a variable within a longer text shows nothing of a secret. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { World } from '../world.ts'

const world = new World()
afterEach(() => world.remove())

test('the name of a variable within a secret is not shown', async () => {
  const webhook = `https://hooks.example.com/made$\{upSecret}up`
  writeFileSync(join(world.folder, 's.yaml'), `slack_incoming_webhook: '${webhook}'\n`)
  const { code, stderr } = await world.run(['projects', 'diff', '-f', 's.yaml', '--sandbox'])
  expect([code, stderr]).toEqual([
    9,
    expect.stringContaining('slack_incoming_webhook holds the name of a variable as text'),
  ])
  expect(stderr).not.toContain('upSecret')
})
