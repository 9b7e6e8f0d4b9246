import { statSync } from 'node:fs'
import type { Context } from '../../context.ts'
import { RefusedError } from '../../errors.ts'
import { reasonOf } from '../../files/system-error.ts'
import type { BackupFile } from '../../jobs/backup.ts'
import { backupsOf, type Job } from '../../jobs/job.ts'
import { refuseHeld } from '../../jobs/locked-job.ts'
import type { RunRequest } from '../request.ts'

/** Throws `RefusedError` for a job that cannot be resumed as it is. */
export function refuseJob(context: Context, { purpose, records }: RunRequest): void {
  if (purpose.kind !== 'resume') return
  const { job } = purpose
  if (!context.values.dryRun) refuseHeld(job, context.host)
  refuseLostBackup(job, records.backup)
}

/** A new file would hide that the file lacks records which the job saved. */
function refuseLostBackup(job: Job, backup: BackupFile | undefined): void {
  const backups = backupsOf(job)
  if (!backup || backup.path !== backups.at(-1)?.path || !hasBegun(job)) return
  // A later file may be empty, because the first one holds the records.
  const what = faultOf(backup.path, backups.length === 1 && hasSaved(job))
  if (what === undefined) return
  throw new RefusedError(`The backup ${backup.path}, which holds the records that the job has saved, ${what}`, {
    hint: 'Put it back, or give another file with --backup',
  })
}

function faultOf(path: string, holdsRecords: boolean): string | undefined {
  try {
    const there = statSync(path, { throwIfNoEntry: false })
    if (!there) return 'is not there any more'
    return holdsRecords && there.isFile() && there.size === 0 ? 'is empty' : undefined
  } catch (error) {
    return `cannot be read${reasonOf(error)}`
  }
}

/** What only a 404 shows to be done may have had no record to save. */
function hasSaved({ state, targets }: Job): boolean {
  for (const [, outcome] of state.outcomesOf(targets)) {
    if (!outcome || outcome.status === 'failed' || outcome.status === 'gone') continue
    if (outcome.evidence !== 'inferred') return true
  }
  return false
}

function hasBegun({ state }: Job): boolean {
  return state.counts.left < state.total || state.mayHaveSent
}
