import { recordIn } from '../../api/answers/answer.ts'
import type { Client } from '../../api/client.ts'
import { Failure } from '../../errors.ts'
import type { ObjectItem } from '../../json/read-item.ts'
import { type CollectionFacts, pathTo, type Scope } from '../../operations/collections.ts'
import { type FailedVerdict, judgeFailure } from './judge.ts'

/** `look`: a 404, which proves nothing yet. */
export type Read = { readonly is: 'there'; readonly record: ObjectItem } | FailedVerdict

interface Reading {
  readonly client: Client
  readonly scope: Scope
}

/** Reads one target. A read never counts as the response to a write. */
export async function readTarget({ client, scope }: Reading, of: CollectionFacts, id: string): Promise<Read> {
  const request = client.request(of.read, { path: pathTo(scope, id) })
  const sent = await client.send(request)
  if (sent.certainty !== 'answered') return judgeFailure(sent.failure, sent.certainty)
  if (sent.response instanceof Failure) return judgeFailure(sent.response)
  try {
    return { is: 'there', record: recordIn(request, sent.response, id) }
  } catch (failure) {
    if (failure instanceof Failure) return judgeFailure(failure)
    throw failure
  }
}
