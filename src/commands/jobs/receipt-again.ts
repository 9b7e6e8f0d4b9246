/** Makes the receipt of a job from what the job keeps. */
import { UsageError } from '../../errors.ts'
import type { Host } from '../../host.ts'
import type { Job } from '../../jobs/job.ts'
import { receiptOf } from '../../jobs/make-receipt.ts'
import type { NewReceipt } from '../../jobs/receipt.ts'

/** The backup of the job, if it has one: only from it can the run be undone. */
export function backupsOf({ header }: Job): string[] {
  return header.receipt?.backup ? [header.receipt.backup.path] : []
}

/** Throws `UsageError` for a job whose targets were never found. */
export function receiptAgain({ version }: Pick<Host, 'version'>, { name, header, state, targets }: Job): NewReceipt {
  const { command, path, base, profile, receipt: kept, options, created_at: startedAt } = header
  if (!kept) {
    throw new UsageError(`Job ${name} keeps nothing for a receipt`, {
      hint: 'Only runs that have found all of their targets have a receipt',
    })
  }
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
  }
  return receiptOf(about, state, targets)
}
