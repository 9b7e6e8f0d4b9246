/** `--receipt` may name the only proof of an earlier run: that is said before it is replaced. */
import { readSync } from 'node:fs'
import { basename } from 'node:path'
import type { Context } from '../cli/command.ts'
import { withRegularFile } from '../files/regular-file.ts'

/** `job`: the job that goes on, whose own receipt may be replaced. */
export function warnOfReceipt({ values, messages }: Context, receipt: string | undefined, job?: string): void {
  if (receipt === undefined || values.dryRun) return
  const head = headOf(receipt)
  if (!/^\{\s*"receipt": ?\d/.test(head)) return
  if (job !== undefined && head.includes(`"job": "${job}"`)) return
  messages.warn(`${basename(receipt)} holds the receipt of another run, and will be replaced`)
}

/** Enough for all that stands before the outcomes; empty where there is no such file. */
function headOf(path: string): string {
  try {
    const head = Buffer.alloc(64 * 1024)
    return withRegularFile(path, file => head.toString('utf8', 0, readSync(file, head)))
  } catch {
    return ''
  }
}
