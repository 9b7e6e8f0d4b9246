/** The requests of `persons verify` after a deletion with events. */
import { expect, test } from 'vitest'
import { newWorld } from '../../world.ts'

async function requestsOfVerify(dialect: 'documented' | 'observed') {
  const env = { ANALYTICS_SANDBOX: dialect }
  const world = newWorld()
  const words = ['persons', 'delete', '--where', 'properties.plan', '--delete-events', '--expect', '43', '--yes', '-q']
  expect((await world.run(words, { env })).code).toBe(0)
  const { stderr, code } = await world.run(['persons', 'verify', '--last', '--debug'], { env })
  const paths = stderr.split('\n').filter(line => line.startsWith('GET '))
  const asked = paths.filter(path => path.includes('/deletion_status/'))
  return { code, persons: paths.length - asked.length, asked: asked.length }
}

test('verify sends two requests for each person and reads two lists', async () => {
  expect(await requestsOfVerify('observed')).toEqual({ code: 8, persons: 45, asked: 43 })
})

test('an older server gets no request about the events of each person', async () => {
  const { code, persons, asked } = await requestsOfVerify('documented')
  expect([code, persons, asked < 20]).toEqual([0, 45, true])
})
