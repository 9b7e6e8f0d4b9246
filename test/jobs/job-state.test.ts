import { expect, test } from 'vitest'
import { JobState } from '../../src/jobs/job-state.ts'
import type { JournalEntry } from '../../src/jobs/journal/entry.ts'
import { evidences, type OutcomeError } from '../../src/jobs/outcome.ts'

test.each(evidences)('the evidence %s is kept, beside whether it was only accepted', evidence => {
  const state = new JobState(2)
  state.apply(['deleted', 0, evidence, 1000])
  state.apply(['updated', 1, evidence, 2000, true])
  state.endGeneration(true)
  expect([state.outcomeOf(0), state.outcomeOf(1)]).toEqual([
    { status: 'deleted', evidence, at: 1000 },
    { status: 'updated', evidence, at: 2000 },
  ])
  expect([state.acceptedAt(0), state.acceptedAt(1)]).toEqual([undefined, 2000])
})

test('an evidence that is not known is refused: it must not count as answered', () => {
  const entry = ['deleted', 0, 'guessed', 1000] as unknown as JournalEntry
  expect(() => new JobState(1).apply(entry)).toThrow(RangeError)
})

const missing: OutcomeError = { name: 'not-found', status: 404, code: 'events-not-queued' }
const refused: OutcomeError = { name: 'rejected', status: 400, code: null }

test('a part that was accepted is known from its own time on, whatever fails later, until the target is done', () => {
  const state = new JobState(1)
  state.apply(['accepted', 0, 1000])
  state.apply(['failed', 0, refused, false, 90_000])
  state.endGeneration(false)
  expect([state.acceptedAt(0), state.maybeDone(0)]).toEqual([1000, false])
  state.apply(['updated', 0, 'answered', 95_000])
  expect(state.acceptedAt(0)).toBeUndefined()
})

test('a failed target that a killed resume had not tried again was certainly not sent by it', () => {
  const state = new JobState(4)
  state.apply(['may-send', 4])
  state.apply(['failed', 0, refused, false, 1000])
  state.apply(['failed', 1, refused, false, 1000])
  state.apply(['closed', { ...state.counts }])
  state.endGeneration(true)
  // The resume begins with the third, tries the second again, and is killed.
  state.apply(['may-send', 4])
  state.apply(['deleted', 2, 'answered', 2000])
  state.apply(['sent', 1])
  state.endGeneration(false)
  expect([0, 1, 2, 3].map(target => state.maybeDone(target))).toEqual([false, true, false, true])
})

test('who does not exist is not sent again, whatever a later generation lost', () => {
  const state = new JobState(3)
  state.apply(['may-send', 3])
  state.apply(['failed', 0, missing, false, 1000])
  state.apply(['failed', 1, refused, false, 1000])
  state.apply(['failed', 2, missing, true, 1000])
  state.endGeneration(false)
  expect([...state.remaining()]).toEqual([1])
  for (let generation = 2; generation < 4; generation++) {
    state.apply(['may-send', 3])
    state.endGeneration(false)
    expect([...state.remaining()]).toEqual([1])
    // Only of the third it was said that the service may have changed it before.
    expect([0, 1, 2].map(target => state.maybeDone(target))).toEqual([false, false, true])
  }
})
