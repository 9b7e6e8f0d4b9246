/** When the engine shows an outcome, and sends the next request. */
import { expect, test } from 'vitest'
import { runEngine } from '../../src/jobs/engine.ts'
import { JobState } from '../../src/jobs/job-state.ts'
import { type Journal, memoryJournal } from '../../src/jobs/journal/journal.ts'
import type { Outcome } from '../../src/jobs/outcome.ts'

const deleted: Outcome = { status: 'deleted', evidence: 'answered' }

/** Runs four targets, two at a time; each line is what happened. */
async function happened(write: Journal['write']) {
  const lines: string[] = []
  const targets = ['1', '2', '3', '4']
  const journal = memoryJournal(new JobState(targets.length))
  const ended = runEngine({
    targets,
    concurrency: 2,
    clock: { now: () => 0, elapsed: () => 0, sleep: () => Promise.resolve() },
    signal: new AbortController().signal,
    journal: {
      ...journal,
      async write(entry) {
        await write(entry)
        await journal.write(entry)
        lines.push(`written ${entry[1]}`)
      },
    },
    batch: 1,
    ...{ maxFailures: undefined, canary: undefined, left: undefined },
    async step([sending]) {
      lines.push(`sent ${sending?.id}`)
      return [deleted]
    },
    proof: { list: async () => undefined, exists: async () => false },
    confirm: async (_, outcome) => outcome,
    onOutcome: id => lines.push(`shown ${id}`),
  })
  const error = await ended.catch((error: Error) => error.message)
  return error === undefined ? lines : [...lines, error]
}

test('an outcome is shown once it is written, and only then the next target is sent', async () => {
  const lines = await happened(async () => undefined)
  const place = (line: string) => lines.indexOf(line)
  for (const target of [0, 1, 2, 3]) {
    expect(place(`written ${target}`)).toBeGreaterThan(place(`sent ${target + 1}`))
    expect(place(`shown ${target + 1}`)).toBeGreaterThan(place(`written ${target}`))
  }
  let underWay = 0
  for (const line of lines) {
    if (line.startsWith('sent')) underWay++
    if (line.startsWith('shown')) underWay--
    expect(underWay).toBeLessThanOrEqual(2)
  }
})

test('one that cannot be written is not shown, and nothing more is sent', async () => {
  const lines = await happened(() => Promise.reject(new Error('The disk is full')))
  expect(lines).toEqual(['sent 1', 'sent 2', 'The disk is full'])
})
