/** Look-ups that were interrupted are kept without what stands in the list, and go on from there. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { RefusedError } from '../../src/errors.ts'
import { jobState } from '../../src/jobs/job.ts'
import { listJobs } from '../../src/jobs/list-jobs.ts'
import { openLookups } from '../../src/jobs/lookups.ts'
import { fakeClock, turn } from '../clock.ts'

const plan = {
  command: 'persons --emails-from',
  options: {},
  base: 'http://x.example/',
  profile: null,
  path: { project_id: '1' },
  lookup: 'ab'.repeat(32),
}

let jobs: string
beforeEach(() => {
  jobs = mkdtempSync(join(tmpdir(), 'analytics-lookups-'))
})
afterEach(() => rmSync(jobs, { recursive: true }))

const host = (isRunning: () => boolean) => ({
  clock: fakeClock(),
  random: () => 0,
  processes: { own: process.pid, isRunning, run: async () => 0 },
})
const open = (isRunning = true, lookup = plan.lookup) =>
  openLookups(
    jobs,
    { ...plan, lookup },
    [2, 3, 5],
    host(() => isRunning),
  )

test('a process that was killed, and one that stopped, leave what they found to the next one', async () => {
  const killed = open()
  killed.record(0, ['11'])
  await turn()
  expect(() => open()).toThrow(RefusedError)
  const stopped = open(false)
  expect([...stopped.found]).toEqual([[0, ['11']]])
  stopped.record(2, ['12', '13'])
  stopped.keep()
  const [job, ...others] = listJobs(jobs, () => undefined)
  expect(others).toEqual([])
  if (!job) throw new Error('No job')
  expect([
    jobState(
      job,
      host(() => true),
    ),
    job.header.total,
    job.counts.left,
  ]).toEqual(['resolving', 3, 1])
  const last = open()
  expect([...last.found.keys()]).toEqual([0, 2])
  last.remove()
  expect(readdirSync(jobs)).toEqual([])
})

test('look-ups that rested for more than a week begin anew', async () => {
  const first = open()
  first.record(0, ['11'])
  first.keep()
  const [{ folder } = { folder: '' }] = listJobs(jobs, () => undefined)
  const age = (days: number) => {
    const then = Date.now() / 1000 - days * 86_400
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), then, then)
  }
  age(6)
  const second = open()
  expect(second.found.size).toBe(1)
  second.keep()
  age(8)
  const third = open()
  expect(third.found.size).toBe(0)
  third.remove()
  expect(readdirSync(jobs)).toEqual([])
})

test('another list begins anew, and of each only its digest, line numbers and ids are kept', () => {
  const first = open()
  first.record(0, ['11'])
  first.keep()
  const other = open(true, 'cd'.repeat(32))
  expect(other.found.size).toBe(0)
  other.keep()
  expect(readdirSync(jobs)).toHaveLength(1)
  const [{ folder } = { folder: '' }] = listJobs(jobs, () => undefined)
  expect(readFileSync(join(folder, 'targets'), 'utf8')).toBe('"2"\n"3"\n"5"\n')
})
