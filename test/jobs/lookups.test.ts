/** Look-ups that were interrupted are kept without what stands in the list, and go on from there. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { InterruptedError, RefusedError, UnavailableError } from '../../src/errors.ts'
import { createJob } from '../../src/jobs/create-job.ts'
import { jobState } from '../../src/jobs/job.ts'
import { listJobs } from '../../src/jobs/list-jobs.ts'
import { openLookups } from '../../src/jobs/lookups.ts'
import { fakeClock, noon, turn } from '../clock.ts'

const plan = {
  command: 'persons --emails-from',
  options: {},
  base: 'http://x.example/',
  profile: null,
  path: { project_id: '1' },
  lookup: 'ab'.repeat(32),
}

const interrupted = new InterruptedError('SIGINT')

let jobs: string
let now = noon
beforeEach(() => {
  now = noon
  jobs = mkdtempSync(join(tmpdir(), 'analytics-lookups-'))
})
afterEach(() => rmSync(jobs, { recursive: true }))

const host = (isRunning: () => boolean) => ({
  clock: { ...fakeClock(), now: () => now },
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
  expect([...stopped.known]).toEqual([[0, { ids: ['11'], at: noon }]])
  stopped.record(2, ['12', '13'])
  stopped.stop(interrupted)
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
  expect([...last.known.keys()]).toEqual([0, 2])
  last.remove()
  expect(readdirSync(jobs)).toEqual([])
})

const day = 24 * 60 * 60 * 1000

test('each look-up counts for one day, however often somebody goes on, and none of a time to come', () => {
  const first = open()
  first.record(0, ['11'])
  first.stop(interrupted)
  now += day
  const second = open()
  expect([...second.known]).toEqual([[0, { ids: ['11'], at: noon }]])
  second.record(1, ['12'])
  second.stop(interrupted)
  now += 1
  const third = open()
  expect([...third.known]).toEqual([[1, { ids: ['12'], at: noon + day }]])
  third.record(0, ['13'])
  third.stop(interrupted)
  expect(readdirSync(jobs)).toHaveLength(1)
  // Somebody put the clock right.
  now -= 3 * day
  const fourth = open()
  expect([...fourth.known]).toEqual([])
  fourth.remove()
  expect(readdirSync(jobs)).toEqual([])
})

test('a line that belonged to nobody is looked up anew, and counts once somebody has it', () => {
  const first = open()
  first.record(0, [])
  first.record(1, 'other-case')
  first.record(2, ['11'])
  first.stop(interrupted)
  const second = open()
  expect([...second.known.keys()]).toEqual([2])
  second.record(0, ['12'])
  second.stop(interrupted)
  const third = open()
  expect([...third.known.keys()]).toEqual([0, 2])
  third.remove()
})

test('a look-up of an earlier version has no time, and is made anew', async () => {
  const { job, journal, release } = createJob(
    jobs,
    plan,
    ['2', '3', '5'],
    null,
    host(() => true),
  )
  journal.note(['found', 0, ['11']])
  journal.note(['found', 1, ['12'], noon])
  release()
  expect(job.state.found.size).toBe(2)
  const next = open()
  expect([...next.known.keys()]).toEqual([1])
  next.remove()
})

test('a refusal leaves nothing behind, and every other failure what was found', () => {
  const refused = open()
  refused.record(0, ['11'])
  expect([refused.stop(new RefusedError('No')), readdirSync(jobs)]).toEqual([false, []])
  const failed = open()
  failed.record(0, ['11'])
  expect([failed.stop(new UnavailableError('Down')), readdirSync(jobs).length]).toEqual([true, 1])
})

test('another list begins anew, and of each only its digest, line numbers and ids are kept', () => {
  const first = open()
  first.record(0, ['11'])
  first.stop(interrupted)
  const other = open(true, 'cd'.repeat(32))
  expect(other.known.size).toBe(0)
  other.stop(interrupted)
  expect(readdirSync(jobs)).toHaveLength(1)
  const [{ folder } = { folder: '' }] = listJobs(jobs, () => undefined)
  expect(readFileSync(join(folder, 'targets'), 'utf8')).toBe('"2"\n"3"\n"5"\n')
})
