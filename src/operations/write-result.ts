/** What a write answers with: the record that came back, or, where none did, a line on stderr and a row of data. */

import type { Client } from '../api/client.ts'
import { findUnapplied } from '../api/verify-applied.ts'
import type { Context, Result } from '../cli/command.ts'
import { RejectedError } from '../errors.ts'
import type { Request } from '../http/message.ts'
import { decode } from '../json/exact.ts'
import { kindOf } from '../json/pick.ts'
import type { Item } from '../json/slice.ts'
import type { View } from '../output/document.ts'

export interface WriteResult {
  readonly id: string
  /** Said on stderr when nothing came back: `Deleted person 3 of project 1 (prod)`. */
  readonly done: string
  readonly view: View
  /** The fields asked for, where the answer is to be compared with them. */
  readonly wanted?: Readonly<Record<string, unknown>>
  /** Told before anything is printed that some of them were accepted and not applied. */
  readonly onIgnored?: () => void
}

const outcomeFields = ['id', 'status']

/** Sends one write. Throws the fitting `Failure`; a field that was accepted and not applied is a `RejectedError` at the end. */
export async function sendWrite(
  client: Client,
  request: Request,
  written: WriteResult,
  { messages, values }: Context,
): Promise<Result> {
  const item = await client.one(request)
  if (item && kindOf(item) !== 'null' && request.method !== 'DELETE') return record(item, written)
  // In a dry run nothing came back because nothing was sent.
  if (!values.dryRun) messages.notice(written.done)
  if (values.output === undefined || values.output === 'table') return { text: '' }
  const status = request.method === 'DELETE' ? 'deleted' : 'accepted'
  return {
    document: {
      shape: 'object',
      batches: [[Buffer.from(JSON.stringify({ id: written.id, status }))]],
      view: { columns: outcomeFields, fields: outcomeFields, id: 'id' },
    },
  }
}

function record(item: Item, { view, wanted, onIgnored }: WriteResult): Result {
  const answer = kindOf(item) === 'object' ? (decode(item) as Record<string, unknown>) : {}
  const missed = wanted ? findUnapplied(wanted, answer) : []
  if (missed.length > 0) onIgnored?.()
  return {
    document: { shape: 'object', batches: [[item]], view },
    afterwards() {
      if (missed.length === 0) return
      const names = missed.map(({ field }) => field).join(', ')
      throw new RejectedError(`The service accepted ${names} and did not apply ${missed.length > 1 ? 'them' : 'it'}`, {
        attr: missed[0]?.field,
        hint: 'The record above is as it is now',
      })
    },
  }
}
