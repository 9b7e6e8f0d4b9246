import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { BulkOptions } from '../../cli/bulk-options.ts'
import type { Context, Result } from '../../cli/command.ts'
import { commandLine } from '../../cli/parsing/suggest-command.ts'
import type { RequestDetails } from '../../jobs/receipts/receipt.ts'
import { counted } from '../operation.ts'
import { actorOf } from '../run/receipt-context.ts'
import { type Plan, writePlan } from './plan.ts'

export function savePlan(
  context: Context,
  what: Pick<Plan, 'operation' | 'base_url' | 'selection' | 'targets'>,
  { reason, requestedBy, received, input }: RequestDetails,
  { plan, canary, maxFailures }: BulkOptions & { readonly plan: string },
): Result {
  const { host, messages, settings, secrets } = context
  const { operation, targets } = what
  const path = resolve(host.cwd, plan)
  const replaces = existsSync(path)
  writePlan(path, {
    ...what,
    selection: secrets.hide(what.selection),
    tool: `analytics ${host.version}`,
    created_at: new Date(host.clock.now()).toISOString(),
    by: actorOf(context),
    profile: settings.profile?.name ?? null,
    guards: { canary: canary ?? null, max_failures: maxFailures ?? null },
    reason,
    requested_by: requestedBy,
    request_received_at: received,
    input,
  })
  if (replaces) messages.notice(`Replaced ${plan}`)
  messages.say(`Wrote a plan for ${counted(targets.length, operation)} to ${plan}; nothing was changed`)
  messages.say(`Run it with: ${commandLine(context, ['jobs', 'run', plan])}`)
  return { text: '', isWrite: true }
}
