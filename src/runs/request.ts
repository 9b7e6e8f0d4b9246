/** What a run is asked to do: made by a command, an undo or a resume. Nothing below it knows an option or a default. */
import type { BackupFile } from '../jobs/backup.ts'
import type { Job } from '../jobs/job.ts'
import type { RecordedOptions } from '../jobs/recorded-options.ts'
import type { OperationRequest } from '../operations/operation.ts'
import type { TargetSource } from '../targets/source.ts'

export interface RunRequest {
  readonly operation: OperationRequest
  readonly targets: TargetSource
  readonly guards: Guards
  readonly concurrency: number | undefined
  readonly records: Records
  readonly purpose: Purpose
  /** For the job: the names of the options, and their numbers. */
  readonly recorded: RecordedOptions
}

export interface Guards {
  readonly expect: number | undefined
  readonly max: number | undefined
  readonly maxFailures: number | undefined
}

/** The option that names the file in which each record is saved before it is changed. */
export type BackupOption = '--backup' | '--new-backup'

export interface Records {
  readonly backup: BackupFile | undefined
  /** Undefined for a command that takes none. */
  readonly backupOption: BackupOption | undefined
  /** Absolute path. */
  readonly receipt: string | undefined
  readonly reason: string | null
}

export type Purpose =
  | { readonly kind: 'run' }
  /** Was agreed to when it began. The targets are those that are left. */
  | { readonly kind: 'resume'; readonly job: Job }
