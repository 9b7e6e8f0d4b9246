import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { BulkOptions } from '../../cli/bulk-options.ts'
import type { Connection, Context, Result } from '../../cli/command.ts'
import { commandLine } from '../../cli/parsing/suggest-command.ts'
import type { RequestDetails } from '../../jobs/receipts/receipt.ts'
import type { Targets } from '../../jobs/targets/target-list.ts'
import { counted, type Operation } from '../operation.ts'
import { actorOf } from '../run/receipt-context.ts'
import { writePlan } from './plan.ts'

export function savePlan(
  context: Context,
  { client }: Connection,
  operation: Operation,
  targets: Targets,
  { reason, requestedBy, received, input }: RequestDetails,
  { plan, canary, maxFailures }: BulkOptions & { readonly plan: string },
): Result {
  const { host, messages, settings } = context
  const path = resolve(host.cwd, plan)
  const replaces = existsSync(path)
  writePlan(path, {
    plan: 2,
    tool: `analytics ${host.version}`,
    created_at: new Date(host.clock.now()).toISOString(),
    by: actorOf(context),
    profile: settings.profile?.name ?? null,
    base_url: client.base.href,
    operation,
    guards: { canary: canary ?? null, max_failures: maxFailures ?? null },
    reason,
    requested_by: requestedBy,
    request_received_at: received,
    input,
    targets,
  })
  if (replaces) messages.notice(`Replaced ${plan}`)
  messages.say(`Wrote a plan for ${counted(targets.length, operation)} to ${plan}; nothing was changed`)
  messages.say(`Run it with: ${commandLine(context, ['jobs', 'run', plan])}`)
  return { text: '', isWrite: true }
}
