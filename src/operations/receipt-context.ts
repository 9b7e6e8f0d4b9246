/** What a receipt says of a run besides its outcomes. */
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import type { Context } from '../cli/command.ts'
import type { Host } from '../host.ts'
import type { Actor, ReceiptContext, ReceiptRequest } from '../jobs/receipt.ts'
import { deletesEvents } from './operation.ts'
import type { OperationRun } from './run-operation.ts'

type Run = Pick<OperationRun, 'connection' | 'operation' | 'job' | 'backup'>

export function receiptContext(
  { host, settings }: Context,
  { connection, operation, job, backup }: Run,
  { path: _, ...request }: ReceiptRequest,
  startedAt: string,
): ReceiptContext {
  return {
    version: host.version,
    command: operation.command,
    path: { ...operation.path },
    deletesEvents: deletesEvents(operation),
    base: connection.client.base.href,
    now: connection.now,
    profile: settings.profile?.name ?? null,
    actor: actorOf(host),
    job: job?.job.name ?? null,
    request,
    backup: backup === undefined ? undefined : { name: backup, path: resolve(host.cwd, backup) },
    startedAt,
  }
}

function actorOf({ env }: Pick<Host, 'env'>): Actor {
  const user = env.USER ?? env.LOGNAME ?? env.USERNAME ?? null
  const machine = hostname()
  if (env.GITHUB_ACTIONS && env.GITHUB_SERVER_URL) {
    const run = `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}/actions/runs/${env.GITHUB_RUN_ID}`
    return { user: env.GITHUB_ACTOR ?? user, machine, ci: 'GitHub Actions', run }
  }
  if (env.GITLAB_CI) {
    return { user: env.GITLAB_USER_LOGIN ?? user, machine, ci: 'GitLab CI', run: env.CI_JOB_URL ?? null }
  }
  if (env.JENKINS_URL) return { user, machine, ci: 'Jenkins', run: env.BUILD_URL ?? null }
  return { user, machine, ci: env.CI && env.CI !== 'false' ? 'CI' : null, run: null }
}
