/** The files that a run writes. */
import { readSync } from 'node:fs'
import { basename } from 'node:path'
import type { Context } from '../../context.ts'
import { checkWritable } from '../../files/private-file.ts'
import { withRegularFile } from '../../files/regular-file.ts'
import { checkBackup } from '../../jobs/backup.ts'
import type { RunRequest } from '../request.ts'

/** Throws `UsageError`. */
export function refuseUnwritable(
  { values }: Context,
  { records: { receipt, backup } }: Pick<RunRequest, 'records'>,
): void {
  if (values.dryRun) return
  if (receipt !== undefined) checkWritable(receipt, '--receipt')
  if (backup !== undefined) checkBackup(backup.path)
}

/**
 * Warns before the only proof of an earlier run is replaced.
 * `job`: the resumed job, whose own receipt may be replaced.
 */
export function warnOfReceipt({ messages }: Context, receipt: string | undefined, job?: string): void {
  if (receipt === undefined) return
  const head = headOf(receipt)
  if (!/^\{\s*"receipt": ?\d/.test(head)) return
  if (job !== undefined && head.includes(`"job": "${job}"`)) return
  messages.warn(`${basename(receipt)} holds the receipt of another run, and will be replaced`)
}

/** The first 64 KB hold everything before the outcomes; '' without such a file. */
function headOf(path: string): string {
  try {
    const head = Buffer.alloc(64 * 1024)
    return withRegularFile(path, file => head.toString('utf8', 0, readSync(file, head)))
  } catch {
    return ''
  }
}
