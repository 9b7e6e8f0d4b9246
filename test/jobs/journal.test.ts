/** The lines of a journal: what counts as written, what a process knows that goes on, and when an outcome is shown. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { UnavailableError } from '../../src/errors.ts'
import { runEngine, type Step } from '../../src/jobs/engine.ts'
import { Journal } from '../../src/jobs/journal.ts'
import { Stop } from '../../src/jobs/outcome.ts'
import { newWorld } from '../world.ts'

const lock = { check: () => undefined, release: () => undefined }
const clock = { now: () => 1, elapsed: () => 0, sleep: () => Promise.resolve() }
const deleted = { status: 'deleted', evidence: 'answered' } as const

function fileWith(text: string): string {
  const path = join(newWorld().folder, 'journal')
  writeFileSync(path, text)
  return path
}

const done = '["deleted",0,1,"answered"]'

test.each<[string, string, number]>([
  ['whole', done, 0],
  ['cut', done.slice(0, -1), 1],
  ['of NULs', '\0'.repeat(20), 1],
  ['followed by what a process tells that has lost its lock', `${done}\n["failed",0,2,{"name":"unavailable"},true]`, 0],
  ['of a target that the job does not have', '["deleted",7,1,"answered"]', 1],
])('a line that is %s', (_, line, left) => {
  const { left: found, deleted: counted } = Journal.read(fileWith(`${line}\n`), 1).counts
  expect([found, counted]).toEqual([left, 1 - left])
})

test('what follows a line that was cut off stands on a line of its own', () => {
  const path = fileWith('["sent",0]\n["sent",1')
  const journal = Journal.open(path, 2, { lock, clock })
  journal.end(new Map([[{ target: 1 }, deleted]]), 1)
  journal.close()
  expect(readFileSync(path, 'utf8')).toBe('["sent",0]\n["sent",1\n["deleted",1,1,"answered"]\n')
})

function engine(journal: Journal, step: Step, onOutcome = () => {}) {
  const { signal } = new AbortController()
  return runEngine({
    targets: ['1'],
    journal,
    concurrency: 1,
    batch: 1,
    maxFailures: undefined,
    clock,
    signal,
    step,
    onOutcome,
  })
}

test('an outcome that is known is kept where the run stops behind it', async () => {
  const journal = new Journal(1)
  const stop = new Stop(new UnavailableError('The service is gone'))
  const step: Step = async ([sending], outcomes) => {
    if (sending) outcomes.set(sending, deleted)
    throw stop
  }
  await expect(engine(journal, step)).rejects.toBe(stop.cause)
  expect(journal.counts.deleted).toBe(1)
})

test('an outcome is shown only once it is kept', async () => {
  const journal = new Journal(1)
  journal.end = () => {
    throw new UnavailableError('The disk is full')
  }
  const shown = () => expect.unreachable('It was shown')
  const step: Step = async ([sending], outcomes) => {
    if (sending) outcomes.set(sending, deleted)
  }
  await expect(engine(journal, step, shown)).rejects.toThrow('The disk is full')
})
