import { recordIn } from '../../api/answers/answer.ts'
import type { Client } from '../../api/client.ts'
import { Failure } from '../../errors.ts'
import type { ObjectItem } from '../../json/read-item.ts'
import type { CollectionFacts, Scope } from '../../operations/collections.ts'
import { pathTo } from '../../operations/operation.ts'
import { judgeFailure } from './judge.ts'

/** `look`: a 404, which proves nothing yet. */
export type Read = { readonly is: 'there'; readonly record: ObjectItem } | ReturnType<typeof judgeFailure>

interface Reading {
  readonly client: Client
  readonly scope: Scope
  readonly of: CollectionFacts
  readonly hasSucceeded: boolean
}

/** Reads one target. A read never counts as the response to a write. */
export async function readTarget({ client, scope, of, hasSucceeded }: Reading, id: string): Promise<Read> {
  const request = client.request(of.read, { path: pathTo(scope, id) })
  const sent = await client.send(request)
  const failedWith = (failure: Failure): Read =>
    judgeFailure({ certainty: sent.certainty, failure, isWrite: false, hasSucceeded })
  if (sent.certainty !== 'answered') return failedWith(sent.failure)
  if (sent.response instanceof Failure) return failedWith(sent.response)
  try {
    return { is: 'there', record: recordIn(request, sent.response, id) }
  } catch (failure) {
    if (failure instanceof Failure) return failedWith(failure)
    throw failure
  }
}
