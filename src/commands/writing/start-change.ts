/** Nothing below the commands knows an option. */
import { refuseMisleading } from '../../api/effects.ts'
import type { Endpoint } from '../../api/endpoints.ts'
import { isGiven, optionName } from '../../cli/command.ts'
import type { Context, Result } from '../../context.ts'
import { Failure, UsageError } from '../../errors.ts'
import { checkWritable } from '../../files/regular-file.ts'
import { readBroadFilter } from '../../filters/filter.ts'
import { absolutePath } from '../../host.ts'
import type { JsonObject } from '../../json/exact.ts'
import { changedParts } from '../../operations/change.ts'
import { type CollectionSpec, pathIn, pathTo } from '../../operations/collections.ts'
import { isDelete, type Operation, type OperationRequest, operationOf } from '../../operations/operation.ts'
import { passChecks, planWrites, singleRequest } from '../../runs/checks.ts'
import { writeResult } from '../../runs/report.ts'
import type { RunRequest } from '../../runs/run.ts'
import { startRun } from '../../runs/start-run.ts'
import { proofIn } from '../../runs/steps/judge.ts'
import type { TargetSource } from '../../targets/source.ts'
import { type BulkOptions, targetSource } from './bulk-options.ts'

/** With the command's own options, whose names a job stores. */
type ChangeOptions = BulkOptions & Readonly<Record<string, unknown>>

/** Throws `UsageError` for invalid ids, options that contradict each other, and unless there is exactly one source. */
export function startChange(
  context: Context,
  request: OperationRequest,
  ids: readonly string[],
  options: ChangeOptions,
): Promise<Result> {
  const { all, expect, unmatched } = options
  if ('body' in request.values) refuseMisleading([], request.values.body)
  const operation = operationOf(request)
  if (all && isDelete(operation) && expect === undefined) {
    throw new UsageError('A delete with --all needs --expect N', {
      hint: `N is the number of ${operation.collection.noun[1]} that you expect`,
    })
  }
  if (unmatched !== undefined) checkWritable(absolutePath(context.host, unmatched), '--unmatched')
  const targets = targetSource(operation.ids, ids, options)
  requireBound(context, operation, targets, options)
  return runWithOptions(context, { operation: request, targets, undoes: undefined }, options)
}

/** Throws `UsageError` if all filters are negations or bare keys, which can match everyone, and no guard limits the number. */
function requireBound(
  { values }: Context,
  operation: Operation,
  targets: TargetSource,
  { expect, max }: ChangeOptions,
): void {
  if (targets.kind !== 'filter') return
  const { search, email, distinctId, where } = targets.filter
  const filters = where.map(readBroadFilter).filter(text => text !== undefined)
  const isNarrow = [search, email, distinctId].some(text => text !== undefined) || filters.length < where.length
  const removesData = isDelete(operation) || operation.command === 'persons delete-property'
  const isBounded = expect !== undefined || (!removesData && (!values.yes || max !== undefined))
  if (filters.length === 0 || isNarrow || isBounded || values.dryRun) return
  const quotes = filters.some(filter => filter.endsWith(' is set'))
    ? "; put quotes around a filter with < or >, as in 'age>60'"
    : ''
  const subject = filters.length === 1 ? 'This filter' : 'These filters'
  throw new UsageError(`${subject} could match any number of ${operation.collection.noun[1]}: ${filters.join(', ')}`, {
    hint: `Add --expect N${removesData ? '' : ' or --max N'} (--dry-run shows how many match)${quotes}`,
  })
}

export function runWithOptions(
  context: Context,
  change: Pick<RunRequest, 'operation' | 'targets' | 'undoes'>,
  options: ChangeOptions,
): Promise<Result> {
  const { expect, max, maxFailures, concurrency = 8, backup, receipt, reason = null } = options
  const { host } = context
  return startRun(context, {
    ...change,
    guards: { expect, max },
    concurrency,
    maxFailures,
    backup: backup === undefined ? undefined : { name: backup, path: absolutePath(host, backup) },
    receipt: receipt === undefined ? undefined : absolutePath(host, receipt),
    reason,
    commandLine: recordedCommand(change.operation.command, options),
  })
}

interface SingleWrite {
  readonly of: CollectionSpec
  /** Empty for a new object. */
  readonly id: string
  /** Such as `Changed project 3`, for a response without a record. */
  readonly done: string
}

/** Sends a write that needs no job, and returns the record of the response. */
export async function sendSingle(
  context: Context,
  endpoint: Endpoint,
  body: JsonObject,
  { of, id, done }: SingleWrite,
): Promise<Result> {
  refuseMisleading([], body)
  await passChecks(context, { ...singleRequest, scope: of.scope, ...planWrites([{ endpoint, body }], 1) }, 'start')
  const connection = await context.connect()
  const { client, serverName } = connection
  const path = pathTo(await pathIn(connection, of), id)
  const response = await client.response(client.request(endpoint, { path, body }))
  const proof = proofIn({ change: body }, response)
  return writeResult(context, {
    id,
    done: `${done} (${serverName})`,
    view: of.view,
    item: response.item,
    set: changedParts(body).map(one => one.path),
    failure: proof instanceof Failure ? proof : undefined,
  })
}

/** Options that do not change the outcome. */
const notRecorded: readonly string[] = [
  ...['expect', 'max', 'maxFailures', 'concurrency'],
  ...['backup', 'receipt', 'reason', 'unmatched', 'requireAll', 'column'],
]

/** For the job and the receipt. Values are left out, because they may be personal. */
function recordedCommand(command: string, options: Readonly<Record<string, unknown>>): string {
  const words = Object.entries(options).flatMap(([name, value]) => {
    if (!isGiven(value) || notRecorded.includes(name)) return []
    if (value === true) return [optionName(name)]
    return [`${optionName(name)} ${name === 'batch' ? String(value) : '…'}`]
  })
  return [command, ...words].join(' ')
}
