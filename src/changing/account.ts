/** What a receipt says of a run beside its outcomes. */
import type { Change } from '../bulk/changes.ts'
import type { Account } from '../bulk/receipt.ts'
import type { Connection, Context } from '../cli/command.ts'

interface Told {
  readonly connection: Connection
  readonly job: string | null
  readonly reason: string | null
  readonly startedAt: string
}

export function accountOf({ host, settings }: Context, change: Change, { connection, ...told }: Told): Account {
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
