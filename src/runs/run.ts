import type { Connection } from '../context.ts'
import type { BackupFile } from '../jobs/backup.ts'
import type { Journal } from '../jobs/journal/journal.ts'
import type { LockedJob } from '../jobs/locked-job.ts'
import type { RequestDetails } from '../jobs/receipts/receipt.ts'
import type { Operation } from '../operations/operation.ts'
import type { Reads } from './steps/reads.ts'

/** A run whose place and targets are fixed. */
export interface ResolvedRun {
  readonly connection: Connection
  readonly operation: Operation
  readonly targets: readonly string[]
  /** The command line names one object, and the command returns its record. */
  readonly isOne: boolean
  readonly asked: RequestDetails
  readonly backup: BackupFile | undefined
  /** Absolute path. */
  readonly receipt: string | undefined
  readonly concurrency: number
  readonly maxFailures: number | undefined
  readonly reads: Reads
}

/** A run with its journal, which only a dry run and a run that nothing can keep have in memory alone. */
export interface KeptRun extends ResolvedRun {
  readonly journal: Journal
  readonly job: LockedJob | undefined
  /** False for a resume. */
  readonly isNew: boolean
}

export interface Ending {
  readonly stopped: { readonly by: unknown } | undefined
  /** The receipt, or the end of the journal, could not be written. */
  readonly unwritten: { readonly by: unknown } | undefined
  readonly ms: number
  /** A job is kept, ours, and not done. */
  readonly canResume: boolean
}
