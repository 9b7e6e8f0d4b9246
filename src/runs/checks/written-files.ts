/** The files that a run writes. */
import { readSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { Context } from '../../context.ts'
import { checkWritable } from '../../files/private-file.ts'
import { withRegularFile } from '../../files/regular-file.ts'
import { checkBackup } from '../../jobs/backup.ts'

/** Throws `UsageError`. */
export function refuseUnwritable(
  { host, values }: Context,
  { receipt, backup, plan }: Readonly<Record<'receipt' | 'backup' | 'plan', string | undefined>>,
): void {
  if (values.dryRun) return
  if (receipt !== undefined) checkWritable(resolve(host.cwd, receipt), '--receipt')
  if (backup !== undefined) checkBackup(resolve(host.cwd, backup))
  if (plan !== undefined) checkWritable(resolve(host.cwd, plan), '--plan')
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
