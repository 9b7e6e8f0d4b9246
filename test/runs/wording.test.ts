import { expect, test } from 'vitest'
import { RejectedError } from '../../src/errors.ts'
import { Journal } from '../../src/jobs/journal.ts'
import { failedOutcome } from '../../src/jobs/outcome.ts'
import { operationOf } from '../../src/operations/operation.ts'
import { describeOutcome } from '../../src/runs/wording.ts'

test('targets whose write got no response may be done', () => {
  const operation = operationOf({ command: 'persons delete', values: { deleteEvents: false, batch: undefined } })
  const journal = new Journal(6)
  journal.settle(new Map([0, 1].map(target => [target, { status: 'deleted', evidence: 'answered' }])), 1)
  journal.settle(new Map([[2, failedOutcome(new RejectedError('Refused'))]]), 1)
  journal.begin([3, 4])
  journal.noteUnknown([3, 4])
  expect(describeOutcome({ operation, journal }, 2000)).toBe(
    'Deleted 2 of 6 persons, 1 failed, 3 pending, 2 of them may be done (2 s)',
  )
})
