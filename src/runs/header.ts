import { userInfo } from 'node:os'
import { withoutUser } from '../api/base-url.ts'
import type { Connection, Context } from '../context.ts'
import { type Env, isCi } from '../host.ts'
import { digestOfTargets, type JobHeader } from '../jobs/receipt.ts'
import type { Scope } from '../operations/collections.ts'
import type { Operation } from '../operations/operation.ts'
import type { Targets } from '../targets/source.ts'
import type { RunRequest } from './run.ts'

export interface ResolvedRun {
  readonly request: RunRequest
  readonly operation: Operation
  readonly connection: Connection
  readonly scope: Scope
  readonly targets: Targets
}

export function headerOf(context: Context, { request, operation, connection, scope, targets }: ResolvedRun): JobHeader {
  const { host, config } = context
  const { deletesEvents } = operation
  return {
    tool: `analytics ${host.version}`,
    command: request.commandLine,
    base_url: connection.client.base.href,
    project: scope.project_id ?? null,
    profile: config.profileName ?? null,
    path: scope,
    job: null,
    reason: request.reason,
    started_at: new Date(host.clock.now()).toISOString(),
    events: deletesEvents === undefined ? null : { deleted: deletesEvents },
    actor: actorOf(context),
    targets_sha256: digestOfTargets(targets.ids),
    input: targets.input,
    backup: request.backup?.name ?? null,
  }
}

/** CI variables may contain a key instead of a name, or a URL with a password. */
function actorOf({ host, secrets }: Pick<Context, 'host' | 'secrets'>): JobHeader['actor'] {
  const { env, machine } = host
  const user = env.GITHUB_ACTOR ?? env.GITLAB_USER_LOGIN ?? accountName(env)
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: id } = env
  const run = server ? `${server}/${repository}/actions/runs/${id}` : (env.CI_JOB_URL ?? env.BUILD_URL)
  return { user: user && secrets.hide(user), machine, ci: ciOf(env), run: run ? secrets.hide(withoutUser(run)) : null }
}

function ciOf(env: Env): string | null {
  if (env.GITHUB_ACTIONS) return 'GitHub Actions'
  if (env.GITLAB_CI) return 'GitLab CI'
  if (env.JENKINS_URL) return 'Jenkins'
  return isCi(env) ? 'CI' : null
}

/** Containers set no variable for the user. */
function accountName({ USER, LOGNAME }: Env): string | null {
  try {
    return USER || LOGNAME || userInfo().username
  } catch {
    return null
  }
}
