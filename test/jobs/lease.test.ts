/** One process at a time works on a job, and one that was believed dead changes nothing any more. */
import { spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { RefusedError, UsageError } from '../../src/errors.ts'
import { createJob } from '../../src/jobs/create-job.ts'
import { type Job, jobState, openJob } from '../../src/jobs/job.ts'
import type { JournalEntry } from '../../src/jobs/journal/entry.ts'
import { claimJob, type LockedJob, lockJob } from '../../src/jobs/locked-job.ts'
import { hasEnded, leasePeriod, ownHolder } from '../../src/locks/holder.ts'
import { fakeClock, noon } from '../clock.ts'
import { newJob } from './stored.ts'

let jobs: string
let clock: ReturnType<typeof fakeClock>
const ids = Array.from({ length: 100 }, (_, i) => String(i + 1))

beforeEach(() => {
  jobs = mkdtempSync(join(tmpdir(), 'analytics-lease-'))
  clock = fakeClock()
})
afterEach(() => rmSync(jobs, { recursive: true }))

const host = (own = process.pid, isRunning = (_: number) => true) => ({
  clock,
  random: () => 0,
  processes: { own, isRunning },
})

const create = () => createJob(jobs, newJob, ids, {}, host())
const deleted = (target: number) => ['deleted', target, 'answered', noon] as const

/** As if another machine held the job, whose lease was renewed so many seconds ago. */
function moveAway({ job }: LockedJob, seconds: number): void {
  const path = join(job.folder, 'journal')
  const text = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    text.replace(/"boot":"[^"]*"/, match => match.replace(/[0-9a-f](?=[^0-9a-f]*$)/, 'x')),
  )
  const renewed = new Date(Date.now() - seconds * 1000)
  utimesSync(path, renewed, renewed)
}

test('a process that runs keeps its job, and is named', () => {
  const { job } = create()
  expect(() => lockJob(jobs, job, host())).toThrow(RefusedError)
  expect(() => lockJob(jobs, job, host())).toThrow(`process ${process.pid} on `)
  expect(jobState({ ...job, counts: job.state.counts }, host())).toBe('running')
})

test('one that has ended is replaced at once, by one process only', () => {
  const { job } = create()
  const gone = (pid: number) => pid !== process.pid
  const next = lockJob(jobs, job, host(process.pid + 1, gone))
  expect(() => lockJob(jobs, job, host(process.pid + 2, gone))).toThrow(RefusedError)
  next.release()
  lockJob(jobs, job, host(process.pid + 2, gone)).release()
})

test.each([
  ['work on', (job: Job, late: ReturnType<typeof host>) => lockJob(jobs, job, late)],
  ['remove', (job: Job, late: ReturnType<typeof host>) => claimJob(job, late)],
])('of two that find it free at once, one may %s it and the other is refused', (_, act) => {
  const { job } = create()
  const gone = (pid: number) => pid !== process.pid
  let faster: LockedJob | undefined
  const late = host(process.pid + 2, pid => {
    // The other one takes over after this one has looked.
    faster ??= lockJob(jobs, job, host(process.pid + 1, gone))
    return gone(pid)
  })
  expect(() => act(job, late)).toThrow(RefusedError)
  expect(readdirSync(job.folder)).not.toContain('journal.3')
  faster?.release()
})

test.skipIf(!existsSync('/proc/self/stat'))('one whose parent never asks how it ended has ended', async () => {
  const parent = spawn('bash', ['-c', 'tail -f /dev/null & echo $!; wait'])
  onTestFinished(() => void parent.kill('SIGKILL'))
  const pid = Number(await new Promise<Buffer>(resolve => parent.stdout.once('data', resolve)))
  const holder = ownHolder({ own: pid })
  const isRunning = (one: number) => process.kill(one, 0)
  expect(hasEnded(holder, { isRunning })).toBe(false)
  parent.kill('SIGSTOP')
  // Until it has stopped, it may still ask.
  await expect.poll(() => readFileSync(`/proc/${parent.pid}/stat`, 'latin1')).toMatch(/\) T /)
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => hasEnded(holder, { isRunning })).toBe(true)
  expect(isRunning(pid)).toBe(true)
})

test('a holder elsewhere has half a minute, by the clock of the folder', () => {
  const held = create()
  moveAway(held, 25)
  const state = () =>
    jobState(
      { ...held.job, counts: held.job.state.counts },
      host(1, () => false),
    )
  expect(state()).toBe('running')
  moveAway(held, 31)
  expect(state()).toBe('interrupted')
  expect(readdirSync(held.job.folder)).toEqual(['job.json', 'journal', 'targets', 'unsent.json'])
})

test('half a minute begins anew where the journal has a time to come, since the clock was set back', () => {
  const held = create()
  const state = () =>
    jobState(
      { ...held.job, counts: held.job.state.counts },
      host(1, () => false),
    )
  moveAway(held, -3600)
  expect(state()).toBe('running')
  expect(statSync(join(held.job.folder, 'journal')).mtimeMs).toBeLessThan(Date.now() + 60_000)
  expect(state()).toBe('running')
})

test('of a machine with another name nobody knows what runs there, even where it has the same boot', () => {
  const holder = ownHolder({ own: process.pid })
  expect(hasEnded(holder, { isRunning: () => false })).toBe(true)
  expect(hasEnded({ ...holder, host: 'ci-b' }, { isRunning: () => false })).toBeUndefined()
})

test('a holder that runs on notices within a moment that another has taken over', async () => {
  const held = create()
  lockJob(
    jobs,
    held.job,
    host(process.pid + 1, pid => pid !== process.pid),
  ).release()
  await expect.poll(() => isLost(held), { timeout: 4000 }).toBe(true)
})

/** Whether it may begin no other target. */
function isLost({ journal }: LockedJob): boolean {
  try {
    journal.refuseLost()
    return false
  } catch (error) {
    return error instanceof RefusedError
  }
}

test('what a holder writes after another has taken over counts for nobody', async () => {
  const late = create()
  await late.journal.begin(0)
  await late.journal.write(deleted(0))
  const other = lockJob(
    jobs,
    late.job,
    host(process.pid + 1, pid => pid !== process.pid),
  )
  await late.journal.write(deleted(1))
  await other.journal.begin(2)
  await other.journal.write(deleted(2))
  other.release()
  const { state } = openJob(jobs, late.job.name)
  expect([0, 1, 2].map(target => state.outcomeOf(target)?.status)).toEqual(['deleted', undefined, 'deleted'])
  expect(state.maybeDone(1)).toBe(true)
})

test('a holder that slept goes on in a generation of its own', async () => {
  const held = create()
  await held.journal.begin(0)
  clock.set(noon + 60_000)
  await held.journal.begin(1)
  await held.journal.write(deleted(1))
  expect(readdirSync(held.job.folder)).toContain('journal.2')
  held.release()
  const { state } = openJob(jobs, held.job.name)
  expect([state.maybeDone(0), state.outcomeOf(1)?.status, state.maybeDone(50)]).toEqual([true, 'deleted', false])
})

/** Another process finishes the job, for which this one seems to have ended. */
function takeOver({ job }: LockedJob): void {
  const other = host(process.pid + 1, pid => pid !== process.pid)
  lockJob(jobs, job, other).release()
}

test('a holder that slept while another took over begins nothing', async () => {
  const held = create()
  await held.journal.begin(0)
  takeOver(held)
  clock.set(noon + 60_000)
  expect(() => held.journal.begin(1)).toThrow(RefusedError)
  await expect(held.journal.write(deleted(1))).rejects.toThrow(RefusedError)
})

test('a holder that slept says nothing of answers that came since, where another took over', async () => {
  const held = create()
  await held.journal.begin(0)
  takeOver(held)
  clock.set(noon + 60_000)
  await expect(held.journal.write(deleted(0))).rejects.toThrow(RefusedError)
  expect(held.job.state.outcomeOf(0)).toBeUndefined()
})

test('answers that come after a sleep are in the new generation, and none of them is under way any more', async () => {
  const held = create()
  await Promise.all([held.journal.begin(0), held.journal.begin(1), held.journal.begin(2)])
  clock.set(noon + 60_000)
  const failed: JournalEntry = ['failed', 1, { name: 'rejected', status: 400, code: null }, false, noon]
  await Promise.all([held.journal.write(deleted(0)), held.journal.write(failed)])
  held.release()
  const { state, generation } = openJob(jobs, held.job.name)
  expect([generation, state.outcomeOf(0)?.status, state.outcomeOf(1)?.status]).toEqual([2, 'deleted', 'failed'])
  expect([0, 1, 2].map(target => state.maybeDone(target))).toEqual([false, false, true])
})

test('a holder begins nothing in a job that was removed while it slept', async () => {
  const held = create()
  rmSync(held.job.folder, { recursive: true })
  clock.set(noon + 60_000)
  expect(() => held.journal.begin(1)).toThrow(RefusedError)
  expect(existsSync(held.job.folder)).toBe(false)
})

test('a job that could not be removed can still be finished', () => {
  const held = create()
  const gone = (pid: number) => pid !== process.pid
  claimJob(held.job, host(process.pid + 1, gone))
  expect(() => lockJob(jobs, held.job, host(process.pid + 2, gone))).toThrow(RefusedError)
  const then = new Date(Date.now() - leasePeriod - 1000)
  utimesSync(join(held.job.folder, 'journal.2'), then, then)
  lockJob(jobs, held.job, host(process.pid + 2, gone)).release()
  expect(openJob(jobs, held.job.name).generation).toBe(3)
})

test('a folder in place of the journal is said', () => {
  const held = create()
  mkdirSync(join(held.job.folder, 'journal.2'))
  expect(() => lockJob(jobs, held.job, host())).toThrow(UsageError)
})

test.skipIf(process.getuid?.() === 0)('a job in a folder that cannot be read is not claimed', () => {
  const { job } = create()
  chmodSync(job.folder, 0o300)
  try {
    expect(() => claimJob(job, host())).toThrow('EACCES')
  } finally {
    chmodSync(job.folder, 0o700)
  }
})
