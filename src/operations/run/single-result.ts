import type { Context, Result } from '../../cli/command.ts'
import { codes, type Outcome } from '../../jobs/outcome.ts'
import type { Item } from '../../json/item.ts'
import { isDelete, rowOf, targetName } from '../operation.ts'
import { describeOperation } from '../scope.ts'
import type { OperationRun } from './operation-run.ts'
import { writeResult } from './write-result.ts'

export const inferredSentence = 'The answer to the first attempt was lost; the object is gone, so it counts as deleted'

/** Throws the failure of the target; if fields were not applied, it first prints the record. */
export function singleResult(
  context: Context,
  { connection, operation, targets, serverFormat }: OperationRun,
  outcome: Outcome,
  afterwards: () => void,
): Result {
  const id = targets.at(0) ?? ''
  const { item, failure, isUnsent } = outcome
  const isUnapplied = outcome.status === 'failed' && outcome.error.code === codes.notApplied
  if (failure && !isUnapplied) throw failure
  if (outcome.status === 'deleted' && outcome.evidence === 'inferred') {
    context.messages.notice(inferredSentence)
  }
  if (isUnsent) context.messages.notice(`Nothing to do: ${targetName(operation, id)} needs no change`)
  const form = isDelete(operation) ? 'done' : 'accepted'
  const done = describeOperation(context, connection, operation, targetName(operation, id), { form })
  if (serverFormat === undefined) {
    const status = isDelete(operation) ? 'deleted' : 'accepted'
    return writeResult(context, { id, done, view: rowOf(operation).view, status, item, failure, afterwards })
  }
  if (!item?.length && !isUnsent) context.messages.notice(done)
  return { bytes: bytesOf(item), afterwards }
}

async function* bytesOf(item: Item | undefined): AsyncGenerator<Uint8Array> {
  if (item) yield item
}
