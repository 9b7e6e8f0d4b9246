/** The operation on all targets of a run is plain JSON, so that a job can store it exactly. */
import type { Client } from '../api/client.ts'
import type { Request } from '../http/message.ts'
import type { JsonObject } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import { countOf } from '../text/grouped.ts'
import type { TargetIds } from './collections.ts'
import { isOperation, type Operation, type OperationName, type OperationOf, type Shapes } from './operation-form.ts'
import type { OperationFacts, OperationRow, TargetAndTime } from './operation-row.ts'
import { operations } from './operation-table.ts'

/** An operation whose project or organization is not known yet. */
type RequestOf<N extends OperationName> = {
  readonly [K in N]: { readonly command: K; readonly values: Shapes[K]['values'] }
}[N]

export type { Operation } from './operation-form.ts'

export type OperationRequest = RequestOf<OperationName>

export function operationAt(request: OperationRequest, path: Readonly<Record<string, string>>): Operation {
  const operation: unknown = { ...request, path }
  if (isOperation(operation)) return operation
  throw new TypeError(`${request.command}: its path or values have another type than its form`)
}

export function rowOf({ command }: { readonly command: OperationName }): OperationFacts {
  return operations[command]
}

function typedRow<N extends OperationName>({ command }: { readonly command: N }): OperationRow<Shapes[N]> {
  return operations[command]
}

/** Throws `UsageError` for an id that is not allowed in a path. */
export function writesOf<N extends OperationName>(
  client: Client,
  operation: OperationOf<N>,
  id: string,
): readonly Request[] {
  return typedRow(operation).writes(client, pathTo(operation, id), operation.values)
}

/** Throws `TypeError` unless the operation is in batches. */
export function writeOfMany<N extends OperationName>(
  client: Client,
  operation: OperationOf<N>,
  ids: readonly string[],
): Request {
  const { writeOfMany: write } = typedRow(operation)
  if (!write) throw new TypeError(`${operation.command} has no request for many targets`)
  return write(client, operation.path, operation.values, ids)
}

/** Throws `NotFoundError`, or `RejectedError` if the answer is another record. */
export function readTarget(client: Client, operation: Operation, id: string): Promise<Item> {
  return client.record(rowOf(operation).read, { path: pathTo(operation, id) })
}

/** The target's id replaces any other. No spread: see `within` in `api/client.ts`. */
function pathTo<P extends object>({ path }: { readonly path: P }, id: string): P & { readonly id: string } {
  return Object.assign({}, path, { id })
}

export function withBodies<O extends Operation>(
  operation: O,
  ids: readonly string[],
  bodies: readonly JsonObject[],
): O {
  return {
    ...operation,
    values: { ...operation.values, bodies: Object.fromEntries(Array.from(ids, (id, i) => [id, bodies[i]])) },
  }
}

export function needsRecord<N extends OperationName>(operation: RequestOf<N>): boolean {
  const { needsRecord, checkRecord } = typedRow(operation)
  return checkRecord !== undefined || needsRecord?.(operation.values) === true
}

export function faultFinder<N extends OperationName>(operation: RequestOf<N>) {
  return typedRow(operation).faultFinder?.(operation.values)
}

export function resultSentence<N extends OperationName>(operation: RequestOf<N>, record: Item): string | undefined {
  return typedRow(operation).resultSentence?.(operation.values, record)
}

/** Throws a `Failure` for a target that must not be changed. */
export function operationForTarget<N extends OperationName>(
  operation: OperationOf<N>,
  record: Item | undefined,
  target: TargetAndTime,
): OperationOf<N> {
  const bodies = 'bodies' in operation.values ? operation.values.bodies : undefined
  if (bodies) return { ...operation, values: { ...operation.values, bodies: undefined, body: bodies[target.id] } }
  const { valuesFor, checkRecord } = typedRow(operation)
  if (record) checkRecord?.(operation.values, record, target)
  if (!valuesFor || !record || !needsRecord(operation)) return operation
  return { ...operation, values: valuesFor(operation.values, record, target) }
}

export function listRequest(client: Client, operation: Operation): Request {
  return client.request(rowOf(operation).list, { path: operation.path, query: { limit: 1 } })
}

export function isDelete(operation: { readonly command: OperationName }): boolean {
  return rowOf(operation).status === 'deleted'
}

export function deletesEvents(operation: OperationRequest): boolean {
  return operation.command === 'persons delete' && operation.values.deleteEvents
}

/** The most targets of one request; undefined if each has its own. */
export function batchOf(operation: OperationRequest): number | undefined {
  return operation.command === 'persons delete' ? operation.values.batch : undefined
}

export function targetIdsOf(operation: OperationRequest): TargetIds {
  return batchOf(operation) === undefined ? rowOf(operation).collection : 'person_uuids'
}

/** The answer must contain these fields; undefined if the endpoint applies everything that it accepts. */
export function comparedFields<N extends OperationName>(operation: RequestOf<N>, answer: Item) {
  return typedRow(operation).comparedFields?.(operation.values, answer)
}

export function fieldChanges<N extends OperationName>(operation: RequestOf<N>) {
  return typedRow(operation).fieldChanges?.(operation.values)
}

export function operationWords<N extends OperationName>(operation: RequestOf<N>) {
  const row = typedRow(operation)
  const part = row.part?.(operation.values) ?? ''
  const [doing, done] = row.verb
  return { doing: `${doing} ${part}`, done: `${done} ${part}`, also: row.also?.(operation.values) ?? '' }
}

export function targetName(operation: { readonly command: OperationName }, id: string): string {
  return `${rowOf(operation).noun[0]} ${id}`
}

export function counted(count: number, operation: { readonly command: OperationName }): string {
  return countOf(count, ...rowOf(operation).noun)
}
