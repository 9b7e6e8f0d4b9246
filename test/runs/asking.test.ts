import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
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
  expect(stderr).toContain('  3   Ingrid Solberg  ingrid@example.com  ')
  expect(stderr).toContain('Deleting person 3 of project 1 "Juniper & Quill Books" (sandbox). Go on? [y/N] n')
  expect(code).toBe(10)
  expect((await typed('persons delete 3', 'y')).code).toBe(0)
})

test('many targets ask for their number, and show the first three', async () => {
  const line = 'persons delete 3 999 4 5 6'
  for (const answer of ['y', 'yes', '', '4']) expect((await typed(line, answer)).code).toBe(10)
  const { stderr, code } = await typed(line, '5')
  expect(stderr.match(/^ {2}.*$/gm)).toEqual([
    '  ID   Name            E-mail              Distinct IDs   Created',
    '  3    Ingrid Solberg  ingrid@example.com  reader-ingrid  2026-01-09 07:00',
    '  999  not found       -                   -              -',
    '  4    Kwame Mensah    kwame@example.com   reader-kwame   2026-01-11 06:00',
  ])
  expect(stderr).toContain('And 2 more, 5 in all: 5 requests. Type 5 to delete 5 persons: 5')
  expect(code).toBe(0)
})

test('even in a quiet run whoever is asked is told what about, and where', async () => {
  const { stderr } = await typed('persons delete 3 4 --quiet', 'n')
  expect(stderr).toContain('Deleting 2 persons of project 1 "Juniper & Quill Books" (sandbox)\n')
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

test.each([
  ['persons delete 3 --yes', 'DELETE'],
  ['persons update 3 4 --set a=b --yes', 'PATCH'],
  ['projects apply 1 -f settings.yaml --yes', 'PATCH'],
])('a safety level that refuses before anything is resolved names no address: %s', async (line, method) => {
  writeFileSync(join(world.folder, 'settings.yaml'), 'is_demo: true\n')
  const refused = await world.run([...line.split(' '), '-o', 'json'], {
    env: { ...env, ANALYTICS_SAFETY: 'read-only' },
  })
  const { error } = JSON.parse(refused.stderr.trim().split('\n').at(-1) ?? '')
  expect([refused.code, error.method, error.url]).toEqual([10, method, null])
})

test('another number is asked again, four times in all, without another preview', async () => {
  const { stderr, code } = await typed('persons delete 3 4', '3', '22', '2')
  expect(code).toBe(0)
  expect(stderr.match(/^ {2}\d+ {2}/gm)).toHaveLength(2)
  expect(stderr.match(/Type 2 to delete 2 persons: /g)).toHaveLength(3)
  expect((await typed('persons delete 5 6', '1', '1', '1', '1', '2')).code).toBe(10)
  expect((await typed('persons get 5')).code).toBe(0)
})

test('--yes agrees to a number that the command line limits, and to no other', async () => {
  for (const line of [
    'persons delete --search example.com --yes',
    'persons delete --property plan=pro --yes',
    'persons delete-property --property plan=pro --key plan --yes',
  ]) {
    const { code, stderr } = await typed(line)
    expect([code, stderr]).toEqual([2, expect.stringContaining('--yes does not agree to an unknown number of targets')])
  }
  expect((await typed('persons delete --distinct-id nobody --yes')).code).toBe(0)
  expect((await typed('persons delete --email sara@example.com --yes --max 1')).code).toBe(0)
  expect((await typed('persons delete --search example.com --yes --dry-run')).code).toBe(0)
  expect((await typed('persons update --property plan=library --set a=b --yes')).code).toBe(0)
})
