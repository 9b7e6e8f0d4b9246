import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Context } from '../../context.ts'
import { noData, type Result, write } from '../../result.ts'
import { commandLine } from '../../suggest-command.ts'
import { shownInFull } from '../agree.ts'
import type { ResolvedRun } from '../keep-run.ts'
import { counted } from '../operation.ts'
import { actorOf } from '../run/receipt-context.ts'
import type { Guards, Purpose } from '../run-request.ts'
import { writePlan } from './plan.ts'

export function savePlan(
  context: Context,
  { connection, operation, ids: targets, asked, selectedBy }: ResolvedRun,
  { canary, maxFailures }: Guards,
  { file: plan, selection }: Extract<Purpose, { kind: 'plan' }>,
): Result {
  const { host, messages, settings, secrets } = context
  const { reason, requestedBy, received, input } = asked
  const path = resolve(host.cwd, plan)
  const replaces = existsSync(path)
  writePlan(path, {
    operation,
    base_url: connection.client.base.href,
    selection: secrets.hide(selectedBy?.(shownInFull) ?? selection),
    targets,
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
  return write(noData)
}
