import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Context, Result } from '../../context.ts'
import { commandLine } from '../../suggest-command.ts'
import type { ResolvedRun } from '../keep-run.ts'
import { counted } from '../operation.ts'
import { actorOf } from '../run/receipt-context.ts'
import type { Guards } from '../run-request.ts'
import { writePlan } from './plan.ts'

export function savePlan(
  context: Context,
  {
    connection: { client },
    operation,
    ids: targets,
    asked,
  }: Pick<ResolvedRun, 'connection' | 'operation' | 'ids' | 'asked'>,
  { file: plan, canary, maxFailures }: Guards & { readonly file: string },
): Result {
  const { host, messages, settings } = context
  const { reason, requestedBy, received, input } = asked
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
