/** What a receipt says of a run beside its outcomes. */
import type { Connection, Context } from '../cli/command.ts'
import type { ReceiptContext } from '../jobs/receipt.ts'
import { deletesEvents, type Operation } from './operation.ts'

type Run = Pick<ReceiptContext, 'job' | 'reason' | 'startedAt'>

export function receiptContext(
  { host, settings }: Context,
  { client, now }: Connection,
  operation: Operation,
  run: Run,
): ReceiptContext {
  const { command, path } = operation
  return {
    version: host.version,
    command,
    path: { ...path },
    deletesEvents: deletesEvents(operation),
    base: client.base.href,
    now,
    profile: settings.profile?.name ?? null,
    ...run,
  }
}
