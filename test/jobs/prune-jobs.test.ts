/** People who change objects one by one leave many jobs: the oldest are removed, and no other ones. */
import { chmodSync, cpSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newWorld } from '../world.ts'

const change = ['--sandbox', 'persons', 'update', '3', 'plan=pro']

/** A folder with a job of two targets, and then with `count` of one target; each name ends with its number. */
async function withJobs(count: number) {
  const world = newWorld()
  const jobs = join(world.folder, 'state/jobs')
  await world.run(['--sandbox', 'persons', 'update', '3', '4', '--set', 'plan=pro', '--yes'])
  const [several = ''] = readdirSync(jobs)
  await world.run(change)
  const first = readdirSync(jobs).find(name => name !== several) ?? ''
  const folderOf = (number: number) => join(jobs, `${first}-${number}`)
  for (let i = 1; i < count; i++) cpSync(join(jobs, first), folderOf(i), { recursive: true })
  return { world, jobs, several, first, folderOf }
}

test('of more than 1,000 done jobs of one target the oldest are removed, and a job of several targets stays', async () => {
  const { world, jobs, several, first } = await withJobs(1098)
  expect((await world.run(change)).code).toBe(0)
  const left = readdirSync(jobs)
  // The change itself is not done while it removes the others.
  expect(left).toHaveLength(1002)
  expect(left).toContain(several)
  expect([left.includes(first), left.includes(`${first}-1`), left.includes(`${first}-1096`)]).toEqual([
    false,
    false,
    true,
  ])
})

test.skipIf(process.getuid?.() === 0)('an old job that cannot be removed stays, and the change is made', async () => {
  const { world, jobs, folderOf } = await withJobs(1098)
  chmodSync(folderOf(1), 0o500)
  const { code, stderr } = await world.run(change)
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('not kept')])
  expect(readdirSync(jobs)).toHaveLength(1003)
  expect(statSync(folderOf(1)).mode & 0o777).toBe(0o500)
  chmodSync(folderOf(1), 0o700)
})
