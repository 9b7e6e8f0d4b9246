/** What a receipt says of a run beside its outcomes. */
import type { Change } from '../bulk/changes.ts'
import type { Account } from '../bulk/receipt.ts'
import type { Context } from '../cli/command.ts'

interface Told {
  readonly base: URL
  readonly job: string | null
  readonly reason: string | null
  readonly startedAt: string
}

export function accountOf({ host, settings }: Context, change: Change, { base, ...told }: Told): Account {
  return { version: host.version, change, base: base.href, profile: settings.profile?.name ?? null, ...told }
}
