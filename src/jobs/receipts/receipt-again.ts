import type { Host } from '../../host.ts'
import type { BackupFile } from '../backup.ts'
import type { Job } from '../job.ts'
import { receiptOf } from './make-receipt.ts'
import type { NewReceipt } from './receipt.ts'

/** Undoing the run needs all of these; the last one was in use at the end. */
export function backupsOf({ header, state }: Job): readonly BackupFile[] {
  return [...(header.receipt.backup ? [header.receipt.backup] : []), ...state.backups]
}

export function backupPathsOf(job: Job): string[] {
  return backupsOf(job).map(({ path }) => path)
}

export function receiptAgain({ version }: Pick<Host, 'version'>, job: Job): NewReceipt {
  const { name, header, state, targets } = job
  const { command, path, base, profile, receipt: kept, options, created_at: startedAt } = header
  const about = {
    version,
    command,
    path,
    deletesEvents: options.deleteEvents === true,
    base,
    profile,
    job: name,
    startedAt,
    finishedAt: Date.parse(startedAt),
    ...kept,
    backups: backupsOf(job),
  }
  return receiptOf(about, state, targets)
}
