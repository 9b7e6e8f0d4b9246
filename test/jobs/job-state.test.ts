import { expect, test } from 'vitest'
import { JobState } from '../../src/jobs/job-state.ts'
import type { Entry } from '../../src/jobs/journal/entry.ts'
import { evidences } from '../../src/jobs/outcome.ts'

test.each(evidences)('the evidence %s is kept, beside whether it was only accepted', evidence => {
  const state = new JobState(2)
  state.apply(['deleted', 0, evidence, 1000])
  state.apply(['updated', 1, evidence, 2000, true])
  state.endGeneration(true)
  expect([state.outcomeOf(0), state.outcomeOf(1)]).toEqual([
    { status: 'deleted', evidence, at: 1000 },
    { status: 'updated', evidence, at: 2000, isAccepted: true },
  ])
})

test('an evidence that is not known is refused: it must not count as answered', () => {
  const entry = ['deleted', 0, 'guessed', 1000] as unknown as Entry
  expect(() => new JobState(1).apply(entry)).toThrow(RangeError)
})
