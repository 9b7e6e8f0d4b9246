/** Lists of every noun in windows of 60 and 100 columns, as both dialects of servers answer. */
import { describe, test } from 'vitest'
import { newWorld } from '../world.ts'
import { gallery } from './gallery.ts'

const look = gallery('lists')

const lists: readonly string[] = [
  'persons list --limit 3',
  'persons list --limit 3 --fields id,name,properties.email,properties.plan,properties.orders,created_at',
  'persons activity',
  'persons values --param key=plan',
  'persons retention --limit 3',
  'event-definitions list --limit 3',
  'plugins list',
  'plugins unused',
  'plugins check-for-updates 1',
  'plugins activity',
  'projects list',
  'jobs list',
]

describe.each(['documented', 'observed'])('the %s dialect', dialect => {
  test.each([60, 100])('at %i columns', async columns => {
    const world = newWorld()
    await world.run(['--sandbox', 'persons', 'update-property', '1', '2', '--key', 'plan', '--value', 'pro', '--yes'])
    for (const list of lists) {
      const argv = ['--no-color', ...list.split(' ')]
      const { stdout, stderr } = await world.run(argv, { columns, env: { ANALYTICS_SANDBOX: dialect } })
      look(`${list}, ${dialect}, ${columns} columns`, (stdout + stderr).trimEnd(), columns)
    }
  })
})
