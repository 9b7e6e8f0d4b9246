import type { Context } from '../../context.ts'
import { codes, type Outcome } from '../../jobs/outcome.ts'
import type { Result } from '../../result.ts'
import { isDelete, rowOf, targetName } from '../operation.ts'
import { describeOperation } from '../scope.ts'
import type { OperationRun } from './operation-run.ts'
import { writeResult } from './write-result.ts'

const inferredSentence = 'No answer said that it was deleted; it is gone, so it counts as deleted'

/** Throws the failure of the target; if fields were not applied, it first prints the record. */
export function singleResult(
  context: Context,
  { connection, operation, targets }: OperationRun,
  outcome: Outcome,
  conclude: () => void,
): Result {
  const id = targets.at(0) ?? ''
  const { item, failure } = outcome
  const isUnapplied = outcome.status === 'failed' && outcome.error.code === codes.notApplied
  if (failure && !isUnapplied) throw failure
  if (outcome.status === 'deleted' && outcome.evidence === 'inferred') {
    context.messages.notice(inferredSentence)
  }
  if (outcome.status !== 'failed' && outcome.change === 'unneeded')
    context.messages.notice(`Nothing to do: ${targetName(operation, id)} needs no change`)
  const form = isDelete(operation) ? 'done' : 'accepted'
  const done = describeOperation(context, connection, operation, targetName(operation, id), { form })
  const status = isDelete(operation) ? 'deleted' : 'accepted'
  return writeResult(context, { id, done, view: rowOf(operation).view, status, item, failure, conclude })
}
