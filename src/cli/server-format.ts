/** `--server-format`: the documented `format` parameter. What comes back is the server's to answer for, so it passes untouched. */
import type { Client } from '../api/client.ts'
import { UsageError } from '../errors.ts'
import type { Request } from '../http/message.ts'
import { oneOf } from '../values/kinds.ts'
import type { Context, Result } from './command.ts'
import type { Paging } from './paging.ts'

export const serverFormat = oneOf('csv', 'json')

interface Given extends Partial<Paging> {
  readonly serverFormat: 'csv' | 'json' | undefined
}

/** Throws `UsageError` for options that would shape or continue an answer which is printed as it is. */
export function checkServerFormat({ settings: { typed } }: Context, given: Given): void {
  if (given.serverFormat === undefined) return
  const { query, fields } = typed
  const beside = Object.entries({ query, fields, all: given.all, envelope: given.envelope }).find(([, value]) => value)
  if (!beside) return
  throw new UsageError(`--server-format prints one answer as it is: --${beside[0]} cannot change it`, {
    hint: 'Leave one of them out; -o csv makes CSV of all rows',
  })
}

/** Sends the request and prints its body. JSON alone as the accepted type would have servers refuse to make CSV. */
export async function untouched(client: Client, request: Request): Promise<Result> {
  const headers = { ...request.headers, accept: 'application/json, text/csv;q=0.9, */*;q=0.5' }
  return { bytes: (await client.send({ ...request, headers })).body }
}
