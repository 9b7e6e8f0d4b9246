import { expect, test } from 'vitest'
import { OutcomeRecorder } from '../../../src/jobs/journal/outcome-recorder.ts'
import type { Outcome } from '../../../src/jobs/outcome.ts'

const deleted: Outcome = { status: 'deleted', evidence: 'answered' }

interface Group {
  readonly written: Promise<void>
  end(error?: Error): void
}

/** A journal that writes its lines in groups, each when it is told to. */
function journalOfGroups() {
  const groups: Group[] = []
  const begin = () => {
    let end: Group['end'] = () => undefined
    const written = new Promise<void>((resolve, reject) => {
      end = error => (error ? reject(error) : resolve())
    })
    const group = { written, end }
    groups.push(group)
    return group
  }
  return { begin, write: () => (groups.at(-1) ?? begin()).written }
}

function recording() {
  const journal = journalOfGroups()
  const shown: string[] = []
  const recorder = new OutcomeRecorder(journal, id => shown.push(id))
  const record = (id: string) => recorder.record(id, deleted, ['deleted', Number(id), 'answered', 0])
  return { journal, shown, recorder, record }
}

test('an outcome is shown once the lines of its turn are written', async () => {
  const { journal, shown, recorder, record } = recording()
  const first = journal.begin()
  record('1')
  record('2')
  const shownFirst = recorder.end()
  const second = journal.begin()
  record('3')
  expect(shown).toEqual([])
  first.end()
  await shownFirst
  expect(shown).toEqual(['1', '2'])
  second.end()
  await recorder.end()
  expect(shown).toEqual(['1', '2', '3'])
  recorder.refuseFailed()
})

test('one that cannot be written is not shown, and nothing more may be sent', async () => {
  const { journal, shown, recorder, record } = recording()
  const full = new Error('The disk is full')
  journal.begin().end(full)
  record('1')
  await recorder.end()
  expect(shown).toEqual([])
  expect(() => recorder.refuseFailed()).toThrow(full)
})
