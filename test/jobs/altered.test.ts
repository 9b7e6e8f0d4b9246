/** Whoever changes a file of a job is found out; what a power loss leaves is not taken for a change. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Failure } from '../../src/errors.ts'
import { createJob } from '../../src/jobs/create-job.ts'
import { openJob, unsentOf } from '../../src/jobs/job.ts'
import { listJobs } from '../../src/jobs/list-jobs.ts'
import { type LockedJob, lockJob } from '../../src/jobs/locked-job.ts'
import { isObject } from '../../src/json/exact.ts'
import { fakeClock } from '../clock.ts'
import * as fc from '../fast-check.ts'
import { newJob } from './stored.ts'

const total = 12
const host = {
  clock: fakeClock(),
  random: () => 0,
  processes: { own: process.pid, isRunning: () => true },
}

let jobs: string
let name: string
let files: ReadonlyMap<string, Buffer>
let changed = 'journal.3'

/** A job that three processes have worked on, the last of them killed. */
beforeEach(async () => {
  jobs = mkdtempSync(join(tmpdir(), 'analytics-altered-'))
  const ids = Array.from({ length: total }, (_, i) => String(100 + i))
  const first = createJob(jobs, newJob, ids, { body: { plan: 'pro' } }, host)
  name = first.job.name
  await work(first, [0, 1, 2, 3])
  first.release()
  const second = lockJob(jobs, first.job, host)
  await work(second, [3, 4, 5])
  second.release()
  const third = lockJob(jobs, first.job, host)
  await work(third, [6, 7, 8])
  const folder = third.job.folder
  files = new Map(readdirSync(folder).map(file => [file, readFileSync(join(folder, file))]))
  third.release()
  changed = 'journal.3'
})
afterEach(() => rmSync(jobs, { recursive: true }))

async function work({ journal }: LockedJob, targets: readonly number[]): Promise<void> {
  for (const target of targets) {
    await journal.begin(target)
    const error = { name: 'rejected', status: 400, code: 'invalid' } as const
    if (target === 3) await journal.write(['failed', target, error, false, 1000 + target])
    else await journal.write(['deleted', target, 'answered', 1000 + target])
  }
}

/** Changes one file; all others are as the third process left them when it was killed. */
function change(file: string, bytes: Buffer | undefined): void {
  writeFileSync(join(jobs, name, changed), files.get(changed) ?? '')
  if (bytes) writeFileSync(join(jobs, name, file), bytes)
  else rmSync(join(jobs, name, file))
  changed = file
}

function read() {
  const job = openJob(jobs, name)
  return { unsent: unsentOf(job, isObject), job }
}

test('as it was written, it says what became of each target', () => {
  change('journal.3', files.get('journal.3'))
  const { state, targets } = read().job
  expect([...targets].slice(0, 3)).toEqual(['100', '101', '102'])
  expect(state.counts).toEqual({ deleted: 8, updated: 0, gone: 0, failed: 1, left: 3 })
  expect(state.outcomeOf(6)).toEqual({ status: 'deleted', evidence: 'answered', at: 1006 })
})

/** What somebody may do to a file: to its bytes, or to its lines. */
type Change = (bytes: Buffer, at: number, more: number) => Buffer

const linesOf = (bytes: Buffer) => bytes.toString('latin1').split(/(?<=\n)/)
const joined = (lines: readonly string[]) => Buffer.from(lines.join(''), 'latin1')

const changes: Readonly<Record<string, Change>> = {
  'a byte is another one': (bytes, at, more) => {
    const place = at % bytes.length
    const old = bytes[place] ?? 0
    const changed = Buffer.from(bytes)
    changed[place] = old === 1 + (more % 255) ? old + 1 : 1 + (more % 255)
    return changed
  },
  'a byte is gone': (bytes, at) =>
    Buffer.concat([bytes.subarray(0, at % bytes.length), bytes.subarray((at % bytes.length) + 1)]),
  'a line is gone': (bytes, at) => {
    const lines = linesOf(bytes)
    return joined(lines.toSpliced(at % lines.length, 1))
  },
  'two lines have changed places': (bytes, at, more) => {
    const lines = linesOf(bytes)
    const [a, b] = [at % lines.length, more % lines.length]
    return joined(lines.with(a, lines[b] ?? '').with(b, lines[a] ?? ''))
  },
  'a line stands twice': (bytes, at) => {
    const lines = linesOf(bytes)
    return joined(lines.toSpliced(at % lines.length, 0, lines[at % lines.length] ?? ''))
  },
}

test('any change to any file of it is refused', () => {
  const names = ['job.json', 'targets', 'unsent.json', 'journal', 'journal.2', 'journal.3']
  fc.assert(
    fc.property(
      fc.constantFrom(...names),
      fc.constantFrom(...Object.keys(changes)),
      fc.nat(),
      fc.nat(),
      (file, how, at, more) => {
        const before = files.get(file) ?? Buffer.alloc(0)
        const after = changes[how]?.(before, at, more) ?? before
        // A crash may cut off the end of the newest file.
        const isCut = file === 'journal.3' && before.subarray(0, after.length).equals(after)
        const isTorn = file === 'journal.3' && after.at(-1) !== 0x0a
        // Lines that a process writes after another has taken over do not count.
        const isLate = /^journal/.test(file) && file !== 'journal.3' && after.subarray(0, before.length).equals(before)
        fc.pre(!after.equals(before) && !isCut && !isTorn && !isLate)
        change(file, after)
        // A usage error where the version became another one.
        expect(read).toThrow(Failure)
      },
    ),
    { numRuns: 1000 },
  )
})

test.each(['job.json', 'targets', 'journal', 'journal.2'])('without %s it cannot be read', file => {
  change(file, undefined)
  expect(read).toThrow()
})

test('what a power loss leaves of the newest file is read, and what it may have taken counts as sent', () => {
  const whole = files.get('journal.3') ?? Buffer.alloc(0)
  const announced = whole.indexOf('\n', whole.indexOf('may-send')) + 1
  const places = fc.tuple(fc.integer({ min: announced, max: whole.length }), fc.integer({ min: 0, max: whole.length }))
  fc.assert(
    fc.property(places, fc.boolean(), ([from, length], isCut) => {
      const after = Buffer.from(isCut ? whole.subarray(0, from) : whole)
      after.fill(0, from, Math.min(after.length, from + length))
      change('journal.3', after)
      const { state } = read().job
      for (let target = 0; target < total; target++) {
        const isDone = state.outcomeOf(target)?.status === 'deleted'
        if (target < 6 && target !== 3) expect(isDone).toBe(true)
        // The fourth had failed before, and has a line of its own.
        if (target !== 3) expect(state.maybeDone(target)).toBe(!isDone)
      }
    }),
    { numRuns: 1000 },
  )
})

test('jobs list counts what a power loss has taken from a run that had ended', () => {
  const ended = readFileSync(join(jobs, name, 'journal.3'))
  const announced = ended.indexOf('\n', ended.indexOf('may-send')) + 1
  const listed = () => listJobs(jobs, ({ failure }) => expect.fail(failure.message)).map(({ counts }) => counts)
  expect(listed()).toEqual([{ deleted: 8, updated: 0, gone: 0, failed: 1, left: 3 }])
  fc.assert(
    fc.property(fc.integer({ min: announced, max: ended.length }), fc.nat(ended.length), (from, length) => {
      change('journal.3', Buffer.from(ended).fill(0, from, Math.min(ended.length, from + length)))
      expect(listed()).toEqual([read().job.state.counts])
    }),
    { numRuns: 300 },
  )
})

test('blocks of NUL of any length are read in linear time', () => {
  change('journal.3', files.get('journal.3'))
  truncateSync(join(jobs, name, 'journal.3'), 256 * 1024 * 1024)
  expect(read().job.state.counts.left).toBe(3)
})
