import { isAbsolute, relative } from 'node:path'
import type { Context } from '../../context.ts'
import { commandLine, suggest } from '../../suggest-command.ts'
import { batchOf } from '../operation.ts'
import type { KeptRun } from './run.ts'

type Run = Pick<KeptRun, 'operation' | 'receipt' | 'job'>

/** `persons verify` reads only receipts of deleted persons. */
export function suggestVerify(context: Context, { operation, receipt }: Run): void {
  if (operation.command !== 'persons delete' || receipt === undefined) return
  suggest(context, verifying(context, receipt))
}

/** A server may only queue what it deletes many at a time. */
export function reportAccepted(context: Context, { operation, receipt, job }: Run): void {
  if (batchOf(operation) === undefined) return
  const verify = commandLine(context, verifying(context, receipt ?? 'FILE'))
  const first = ['jobs', 'receipt', job?.job.name ?? 'JOB', '--output-file', 'FILE']
  const write = receipt === undefined ? `${commandLine(context, first)}, then ` : ''
  context.messages.notice(`The service accepted this, and may do it later; see who is gone with: ${write}${verify}`)
}

function verifying({ host }: Context, receipt: string): readonly string[] {
  const near = relative(host.cwd, receipt)
  const isNear = isAbsolute(receipt) && !near.startsWith('..') && !isAbsolute(near)
  return ['persons', 'verify', '--receipt', isNear ? near : receipt]
}
