/** `api DELETE` with a receipt runs the operation of its endpoint, because the receipt needs the outcome. */
import { resolve } from 'node:path'
import type { Endpoint } from '../../api/endpoints.ts'
import { placeIn, segmentIn } from '../../api/path.ts'
import type { Connection, Context, Result } from '../../cli/command.ts'
import { UsageError } from '../../errors.ts'
import { checkWritable } from '../../files/private-file.ts'
import { JobState } from '../../jobs/job-state.ts'
import { memoryJournal } from '../../jobs/journal/journal.ts'
import { pathIn } from '../../operations/collections.ts'
import { type OperationRequest, operationAt, operationNames, rowOf } from '../../operations/operation.ts'
import type { OperationName } from '../../operations/operation-row.ts'
import { noRequestDetails } from '../../operations/run/receipt-context.ts'
import { runOperation } from '../../operations/run/run-operation.ts'
import { fixScope } from '../../operations/scope.ts'

interface TypedRequest {
  readonly row: Endpoint | undefined
  readonly params: readonly (readonly [string, string])[]
  readonly body: unknown
  readonly include: boolean
}

interface ReceiptDeletion {
  readonly request: OperationRequest
  readonly receipt: string
  readonly reason: string | undefined
}

type DeleteName = Extract<OperationName, `${string} delete`>

const isDelete = (command: OperationName): command is DeleteName => rowOf({ command }).status === 'deleted'
const commands = operationNames.filter(isDelete)

/** Throws `UsageError` for a request without a delete command, and for a receipt file that cannot be written. */
export function deletionFor(
  { host, values }: Context,
  { receipt: file, reason }: { readonly receipt: string; readonly reason: string | undefined },
  { row, params, body, include }: TypedRequest,
): ReceiptDeletion {
  const command = commands.find(one => rowOf({ command: one }).endpoint === row)
  const isPlain = body === undefined && !include
  const deleteEvents = params.length > 0
  const isKnown = params.every(([name]) => name === 'delete_events' && command === 'persons delete')
  if (command === undefined || !isPlain || !isKnown) {
    throw new UsageError('--receipt is for DELETE of a person, plugin, event definition or project', {
      hint: 'Give no body, no -i, and no parameter but delete_events=true of a person',
    })
  }
  const receipt = resolve(host.cwd, file)
  if (!values.dryRun) checkWritable(receipt, '--receipt')
  const request: OperationRequest =
    command === 'persons delete' ? { command, values: { deleteEvents } } : { command, values: {} }
  return { request, receipt, reason }
}

/** Replaces `@current` by the id, because the receipt names it. */
export async function fixPath(connection: Connection, { request }: ReceiptDeletion, path: string): Promise<string> {
  const { endpoint, scope } = rowOf(request)
  if (scope === undefined) return path
  const typed = segmentIn(path, endpoint, scope)
  const there = { ...connection, project: () => typed, organization: async () => typed }
  const { [scope]: id = '' } = await pathIn(await fixScope(there, request), { scope })
  return path.split('/').with(placeIn(endpoint, scope), id).join('/')
}

export function runDeletion(
  context: Context,
  connection: Connection,
  { request, receipt, reason }: ReceiptDeletion,
  path: string,
): Promise<Result> {
  const { endpoint, scope } = rowOf(request)
  return runOperation(context, {
    connection,
    operation: operationAt(request, scope === undefined ? {} : { [scope]: segmentIn(path, endpoint, scope) }),
    targets: [segmentIn(path, endpoint, 'id')],
    journal: memoryJournal(new JobState(1)),
    concurrency: 1,
    isOne: true,
    receipt,
    asked: { ...noRequestDetails, reason: reason ?? null },
  })
}
