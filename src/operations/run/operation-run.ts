import type { Connection } from '../../context.ts'
import type { BackupFile } from '../../jobs/backup.ts'
import type { Journal } from '../../jobs/journal/journal.ts'
import type { LockedJob } from '../../jobs/locked-job.ts'
import type { RequestDetails } from '../../jobs/receipts/receipt.ts'
import type { Targets } from '../../jobs/targets/target-list.ts'
import type { Operation } from '../operation.ts'
import type { Reads } from './reads.ts'

export interface OperationRun {
  readonly connection: Connection
  readonly operation: Operation
  readonly targets: Targets
  readonly journal: Journal
  readonly concurrency: number
  readonly maxFailures?: number | undefined
  readonly canary?: number | undefined
  /** Milliseconds; no target is started after that. */
  readonly maxDuration?: number | undefined
  readonly backup?: BackupFile | undefined
  /** Absolute path. */
  readonly receipt?: string | undefined
  readonly asked?: RequestDetails | undefined
  readonly job?: LockedJob | undefined
  readonly isNew?: boolean
  /** The command line names one object, and the command returns its record. */
  readonly isOne?: boolean | undefined
  readonly reads?: Reads
}

export interface Ending {
  readonly stopped: { readonly by: unknown } | undefined
  /** The receipt, or the end of the journal, could not be written. */
  readonly unwritten: { readonly by: unknown } | undefined
  readonly ms: number
  readonly isLost: boolean
}
