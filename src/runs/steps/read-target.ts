import type { Client } from '../../api/client.ts'
import { requestedRecord } from '../../api/responses/response.ts'
import { Failure } from '../../errors.ts'
import type { ObjectItem } from '../../json/read-item.ts'
import { changesIn, refuseHidden } from '../../operations/change.ts'
import { type CollectionSpec, pathTo, type Scope } from '../../operations/collections.ts'
import type { Operation } from '../../operations/operation.ts'
import { type FailedVerdict, judgeFailure } from './judge.ts'

type ReadTarget = { readonly is: 'there'; readonly record: ObjectItem } | FailedVerdict

/** Reads one target. A read never counts as the response to a write. */
export async function readTarget(
  { client, scope }: { readonly client: Client; readonly scope: Scope },
  collection: CollectionSpec,
  id: string,
): Promise<ReadTarget> {
  const request = client.request(collection.read, { path: pathTo(scope, id) })
  const sent = await client.send(request)
  if (sent.certainty !== 'answered') return judgeFailure(sent.failure, sent.certainty)
  if (sent.response instanceof Failure) return judgeFailure(sent.response)
  const { response } = sent
  return judged(() => ({ is: 'there', record: requestedRecord(request, response, id) }))
}

/** Derives the writes of a target that was read. `isSaved`: the old values go to a backup, so the record must show them. */
export function withWrites(read: ReadTarget, operation: Operation, isSaved: boolean) {
  if (read.is !== 'there') return read
  const { record } = read
  return judged(() => {
    const writes = operation.writes(record.value)
    if (isSaved) refuseHidden(record.value, changesIn(writes))
    return { is: 'there' as const, record, writes }
  })
}

function judged<T>(read: () => T): T | FailedVerdict {
  try {
    return read()
  } catch (failure) {
    if (failure instanceof Failure) return judgeFailure(failure)
    throw failure
  }
}
