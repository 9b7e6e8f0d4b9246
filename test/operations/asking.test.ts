import { afterEach, expect, test } from 'vitest'
import { World } from '../world.ts'

let world = new World()
afterEach(() => {
  world.remove()
  world = new World()
})

const env = { ANALYTICS_SANDBOX: '1' }
const typed = (line: string, ...answers: string[]) => world.run(line.split(' '), { env, answers })

test('one target asks y/N, and shows who it is', async () => {
  const { stderr, code } = await typed('persons delete 3', 'n')
  expect(stderr).toContain('id 3, name Ingrid Solberg')
  expect(stderr).toContain('Deleting person 3 of project 1 (sandbox). Go on? [y/N] n')
  expect(code).toBe(10)
  expect((await typed('persons delete 3', 'y')).code).toBe(0)
})

test('many targets ask for their number, and show the first three', async () => {
  const line = 'persons delete 3 999 4 5 6'
  for (const answer of ['y', 'yes', '', '4']) expect((await typed(line, answer)).code).toBe(10)
  const { stderr, code } = await typed(line, '5')
  expect(stderr.match(/^ {2}.*$/gm)).toEqual([
    expect.stringContaining('id 3, name Ingrid'),
    '  999: not found',
    expect.stringContaining('id 4, name Kwame'),
  ])
  expect(stderr).toContain('And 2 more, 5 in all. Type 5 to go on: 5')
  expect(code).toBe(0)
})

test('even in a quiet run whoever is asked is told what about, and where', async () => {
  const { stderr } = await typed('persons delete 3 4 --quiet', 'n')
  expect(stderr).toContain('Deleting 2 persons of project 1 (sandbox)\n')
})

test('nothing is kept of a run that was declined', async () => {
  await typed('persons delete 3 4', 'n')
  expect((await typed('jobs list -o json')).stdout).toBe('[]\n')
})

test('a filter is looked at before it is asked about: there may be one, many or nobody', async () => {
  expect((await typed('persons update --email sara@example.com --set a=b', 'y')).code).toBe(0)
  expect((await typed('persons update --property plan=library --set a=b', '6')).code).toBe(0)
  expect((await typed('persons delete --email nobody@example.com')).code).toBe(0)
})

test('--no-input refuses at a terminal as elsewhere', async () => {
  expect((await typed('persons delete 3 4 --no-input', '2')).code).toBe(10)
})

test.each(['read-only', 'no-delete'])('the safety level %s refuses a run, which leaves no job behind', async level => {
  const { code } = await world.run(['persons', 'delete', '3', '4', '--yes'], {
    env: { ...env, ANALYTICS_SAFETY: level },
  })
  expect(code).toBe(10)
  expect((await typed('jobs list -o json')).stdout).toBe('[]\n')
  expect((await typed('persons get 3')).code).toBe(0)
})
