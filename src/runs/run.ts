import type { Connection } from '../context.ts'
import type { Job } from '../jobs/job.ts'
import type { Journal } from '../jobs/journal.ts'
import type { JobHeader } from '../jobs/receipt.ts'
import type { JsonObject } from '../json/exact.ts'
import type { Lock } from '../locks/lock.ts'
import type { Scope } from '../operations/collections.ts'
import { type Operation, type OperationRequest, operationOf } from '../operations/operation.ts'
import type { TargetSource, Targets } from '../targets/source.ts'

/** What a run is asked to do. Nothing below it knows an option or a default. */
export interface RunRequest {
  readonly operation: OperationRequest
  readonly targets: TargetSource
  readonly undoes: { readonly header: JobHeader; readonly backups: readonly string[] } | undefined
  readonly guards: Readonly<Record<'expect' | 'max', number | undefined>>
  readonly concurrency: number
  readonly maxFailures: number | undefined
  readonly backup: { readonly name: string; readonly path: string } | undefined
  readonly receipt: string | undefined
  readonly reason: string | null
  readonly commandLine: string
}

interface RunValues {
  readonly operation: OperationRequest
  readonly valuesPerTarget: readonly JsonObject[] | undefined
  readonly matchedBy: Targets['matchedBy']
  /** UUIDs of persons whose ids are numbers, where a lookup or the preview showed them. */
  readonly uuids: readonly (string | null)[] | undefined
  /** The user entered the ids, so they may be distinct ids. */
  readonly isGiven: boolean
  readonly receipt: string | undefined
}

export interface Run extends Pick<RunRequest, 'backup' | 'concurrency' | 'maxFailures'> {
  readonly connection: Connection
  readonly scope: Scope
  readonly operation: Operation
  readonly values: RunValues
  readonly targets: readonly string[]
  /** The command line names one object, and the command returns its record. */
  readonly isOne: boolean
  readonly header: JobHeader
  readonly journal: Journal
  readonly job: Job | undefined
  readonly lock: Lock | undefined
}

export interface RunSummary {
  /** What stopped it, and why the receipt or the end of the journal could not be written; undefined otherwise. */
  readonly stopped: unknown
  readonly finalizeError: unknown
  readonly ms: number
}

export function operationFor({ operation, values }: Pick<Run, 'operation' | 'values'>, target: number): Operation {
  return values.valuesPerTarget ? operationOf(values.operation, values.valuesPerTarget[target]) : operation
}
