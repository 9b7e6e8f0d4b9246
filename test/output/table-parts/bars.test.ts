import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tableOf } from '../../../src/jobs/summary.ts'
import { cells } from '../../../src/text/cells.ts'
import { newWorld } from '../../world.ts'

const words = ['persons', 'delete', '3', '4', '5', '999', '--yes']
const env = { ANALYTICS_SANDBOX: '1', NO_COLOR: '1' }
const plain = 'deleted  3\ngone     1\n'
const drawn = `deleted  3  ${'█'.repeat(30)}\ngone     1  ${'█'.repeat(10)}\n`

test('at a terminal the counts of a run have bars, also when its job is shown', async () => {
  const world = newWorld()
  expect((await world.run(words, { env, columns: 80 })).stdout).toBe(drawn)
  const [job = ''] = (await world.run(['jobs', 'list', '-o', 'ids'], { env })).stdout.split('\n')
  expect((await world.run(['jobs', 'show', job], { env, columns: 80 })).stdout).toMatch(/total +4\n\n/)
  expect((await world.run(['jobs', 'show', job], { env, columns: 80 })).stdout.endsWith(`\n\n${drawn}`)).toBe(true)
  expect((await world.run(['jobs', 'show', job], { env })).stdout.endsWith(`\n\n${plain}`)).toBe(true)
})

test('at a terminal their colours tell what went well, unless NO_COLOR is set', async () => {
  const { stdout } = await newWorld().run(words, { env: { ANALYTICS_SANDBOX: '1' }, columns: 80 })
  expect(stdout).toContain(`deleted  3  \u001b[32m${'█'.repeat(30)}\u001b[39m\n`)
})

test.each([
  ['in a pipe', {}],
  ['at a terminal that draws little', { columns: 80, env: { ...env, TERM: 'dumb' } }],
  ['at a terminal that is narrow', { columns: 39 }],
  ['at a terminal without a width', { columns: 0 }],
])('%s the counts have none', async (_, options) => {
  expect((await newWorld().run(words, { env, ...options })).stdout).toBe(plain)
})

test('a file gets the counts without bars', async () => {
  const world = newWorld()
  await world.run([...words, '--output-file', 'counts.txt'], { env, columns: 80 })
  expect(readFileSync(join(world.folder, 'counts.txt'), 'utf8')).toBe(plain)
})

test('a bar is as long as the share, never nothing for something, nor all for less than all', () => {
  expect(tableOf({ deleted: 9970, failed: 29, gone: 1 }, [], { width: 80, color: false })).toBe(
    `deleted  9,970  ${'█'.repeat(39)}\ngone         1  █\nfailed      29  █\n`,
  )
  expect(tableOf({ updated: 2, failed: 2 }, [], { width: 80, color: true })).toBe(
    `updated  2  \u001b[32m${'█'.repeat(20)}\u001b[39m\nfailed   2  \u001b[31m${'█'.repeat(20)}\u001b[39m\n`,
  )
  expect(tableOf({ updated: 2 }, [], { width: 80, color: true })).toBe('updated  2\n')
  expect(tableOf({}, [], { width: 80, color: false })).toBe('')
  for (const line of tableOf({ deleted: 1_000_000, left: 1 }, [], { width: 40, color: false }).split('\n'))
    expect(cells(line)).toBeLessThan(41)
})
