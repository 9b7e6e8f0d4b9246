/** What a receipt says of a run beside its outcomes. */

import type { Connection, Context } from '../cli/command.ts'
import type { ReceiptContext } from '../jobs/receipt.ts'
import type { Operation } from './operations.ts'

interface Told {
  readonly connection: Connection
  readonly job: string | null
  readonly reason: string | null
  readonly startedAt: string
}

export function receiptContext(
  { host, settings }: Context,
  change: Operation,
  { connection, ...told }: Told,
): ReceiptContext {
  const { client, now } = connection
  return {
    version: host.version,
    change,
    base: client.base.href,
    now,
    profile: settings.profile?.name ?? null,
    ...told,
  }
}
