import { userInfo } from 'node:os'
import { resolve } from 'node:path'
import { withoutUser } from '../api/base-url.ts'
import type { Connection, Context } from '../context.ts'
import { type Host, isCi } from '../host.ts'
import type { BackupFile } from '../jobs/backup.ts'
import { backupsOf } from '../jobs/job.ts'
import type { ReceiptFacts } from '../jobs/receipts/make-receipt.ts'
import type { Actor } from '../jobs/receipts/receipt.ts'
import { deletesEvents } from '../operations/operation.ts'
import type { KeptRun } from './run.ts'

type Run = Pick<KeptRun, 'connection' | 'operation' | 'job' | 'backup' | 'asked'>

export function receiptContext(
  context: Context,
  { connection, operation, job, backup, asked }: Run,
  startedAt: string,
): ReceiptFacts {
  const { host, config } = context
  return {
    version: host.version,
    command: operation.command,
    path: { ...operation.path },
    deletesEvents: deletesEvents(operation),
    base: connection.client.base.href,
    clockAhead: clockAhead(host, connection),
    profile: config.profileName ?? null,
    actor: actorOf(context),
    job: job?.job.name ?? null,
    asked,
    backups: job ? backupsOf(job.job) : backup ? [backup] : [],
    startedAt,
    finishedAt: host.clock.now(),
  }
}

export function clockAhead({ clock }: Pick<Host, 'clock'>, { now }: Pick<Connection, 'now'>): number {
  // Whole seconds, because the two clocks are read one after the other.
  return Math.round((now() - clock.now()) / 1000) * 1000
}

export function backupFile({ cwd }: Pick<Host, 'cwd'>, name: string | undefined): BackupFile | undefined {
  return name === undefined ? undefined : { name, path: resolve(cwd, name) }
}

/** Variables of CI may contain a password: a key instead of a name, or a URL with a user. */
export function actorOf({ host, secrets }: Pick<Context, 'host' | 'secrets'>): Actor {
  const { user, run, ...actor } = actorIn(host)
  return { ...actor, user: user && secrets.hide(user), run: run && secrets.hide(withoutUser(run)) }
}

function actorIn({ env, machine }: Host): Actor {
  const user = env.USER || env.LOGNAME || env.USERNAME || accountName()
  if (env.GITHUB_ACTIONS && env.GITHUB_SERVER_URL) {
    const run = `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}/actions/runs/${env.GITHUB_RUN_ID}`
    return { user: env.GITHUB_ACTOR ?? user, machine, ci: 'GitHub Actions', run }
  }
  if (env.GITLAB_CI) {
    return { user: env.GITLAB_USER_LOGIN ?? user, machine, ci: 'GitLab CI', run: env.CI_JOB_URL ?? null }
  }
  if (env.JENKINS_URL) return { user, machine, ci: 'Jenkins', run: env.BUILD_URL ?? null }
  return { user, machine, ci: isCi(env) ? 'CI' : null, run: null }
}

/** Containers set no variable for it. Null without an account. */
function accountName(): string | null {
  try {
    return userInfo().username
  } catch {
    return null
  }
}
