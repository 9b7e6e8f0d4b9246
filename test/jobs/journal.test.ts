/** The lines of a journal: what counts as written, what a resume reads, and when an outcome is shown. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { UnavailableError } from '../../src/errors.ts'
import { type RunState, runEngine, type Step } from '../../src/jobs/engine.ts'
import { Journal } from '../../src/jobs/journal.ts'
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

test('after a cut-off line the next one begins on a new line', () => {
  const path = fileWith('["sent",0]\n["sent",1')
  const journal = Journal.open(path, 2, { lock, clock })
  journal.settle(new Map([[1, deleted]]), 1)
  journal.close()
  expect(readFileSync(path, 'utf8')).toBe('["sent",0]\n["sent",1\n["deleted",1,1,"answered"]\n')
})

test('a target is uncertain if its process was killed between sent and nothing', () => {
  const path = fileWith('["sent",0]\n["sent",1]\n["nothing",1]\n["sent",2]\n["failed",2,1,{"name":"rejected"},false]\n')
  const journal = Journal.read(path, 4)
  expect([0, 1, 2, 3].map(target => journal.isUncertain(target))).toEqual([true, false, false, false])
})

test('a target stays uncertain if a later attempt did nothing', () => {
  const path = fileWith('["sent",0]\n')
  const journal = Journal.open(path, 2, { lock, clock })
  journal.begin([0, 1])
  journal.noteNothing([0, 1])
  journal.close()
  expect([0, 1].map(target => journal.isUncertain(target))).toEqual([true, false])
  expect(readFileSync(path, 'utf8')).toBe('["sent",0]\n["sent",0]\n["sent",1]\n["nothing",1]\n')
  expect([0, 1].map(target => Journal.read(path, 2).isUncertain(target))).toEqual([true, false])
})

function engine(journal: Journal, createStep: (state: RunState) => Step, onOutcome = () => {}) {
  const { signal: interrupted } = new AbortController()
  const run = { targets: ['1'], journal, concurrency: 1, batchSize: 1, maxFailures: undefined, clock, interrupted }
  return runEngine({ ...run, onOutcome }, createStep)
}

test('an outcome before a stop is recorded', async () => {
  const journal = new Journal(1)
  const failure = new UnavailableError('The service is gone')
  const stopped = await engine(journal, state => async ([target = 0]) => {
    state.settle(new Map([[target, deleted]]))
    state.stop.abort(failure)
  })
  expect(stopped).toBe(failure)
  expect(journal.counts.deleted).toBe(1)
})

test('an outcome is shown only after it is recorded', async () => {
  const journal = new Journal(1)
  journal.settle = () => {
    throw new UnavailableError('The disk is full')
  }
  const shown = () => expect.unreachable('It was shown')
  const step = (state: RunState) => async () => state.settle(new Map([[0, deleted]]))
  expect(await engine(journal, step, shown)).toMatchObject({ message: 'The disk is full' })
})
