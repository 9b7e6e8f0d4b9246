import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Context, Result } from '../../context.ts'
import { commandLine } from '../../suggest-command.ts'
import { shownInFull } from '../agree.ts'
import { counted } from '../operation.ts'
import { actorOf } from '../run/receipt-context.ts'
import type { ResolvedRun } from '../run/run.ts'
import type { Purpose, RunRequest } from '../run-request.ts'
import { filtersOf } from '../targets/source.ts'
import { writePlan } from './plan.ts'

export function savePlan(
  context: Context,
  { connection, operation, targets, asked, canary, maxFailures }: ResolvedRun,
  { targets: source }: RunRequest,
  { file: plan, selection }: Extract<Purpose, { kind: 'plan' }>,
): Result {
  const { host, messages, settings, secrets } = context
  const { reason, requestedBy, received, input } = asked
  const path = resolve(host.cwd, plan)
  const replaces = existsSync(path)
  writePlan(path, {
    operation,
    base_url: connection.client.base.href,
    selection: secrets.hide(filtersOf(source, shownInFull) ?? selection),
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
  return { text: '', isWrite: true }
}
