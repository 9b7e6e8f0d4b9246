/** What a run of an operation works with, and how it ended. */
import type { Connection } from '../../cli/command.ts'
import type { ServerFormat } from '../../cli/server-format.ts'
import type { BackupFile } from '../../jobs/backup.ts'
import type { Journal } from '../../jobs/journal/journal.ts'
import type { LockedJob } from '../../jobs/locked-job.ts'
import type { RequestDetails } from '../../jobs/receipts/receipt.ts'
import type { Targets } from '../../jobs/targets/target-list.ts'
import type { Operation } from '../operation.ts'

export interface OperationRun {
  readonly connection: Connection
  readonly operation: Operation
  readonly targets: Targets
  readonly journal: Journal
  readonly concurrency: number
  readonly maxFailures?: number | undefined
  readonly canary?: number | undefined
  /** In ms; no target is begun after that. */
  readonly maxDuration?: number | undefined
  readonly backup?: BackupFile | undefined
  /** The file of the receipt, from the root of the file system. */
  readonly receipt?: string | undefined
  readonly asked?: RequestDetails | undefined
  readonly job?: LockedJob | undefined
  readonly isNew?: boolean
  /** One object that the command line names: the command answers with its record. */
  readonly isOne?: boolean | undefined
  readonly serverFormat?: ServerFormat | undefined
}

export interface Ending {
  readonly stopped: { readonly by: unknown } | undefined
  /** Why the receipt, or the end of the journal, could not be written. */
  readonly unwritten: { readonly by: unknown } | undefined
  readonly ms: number
  /** Another process has taken the job over. */
  readonly isLost: boolean
}
