import { userInfo } from 'node:os'
import { withoutUser } from '../api/base-url.ts'
import type { Context } from '../context.ts'
import { type Env, isCi } from '../host.ts'
import type { JobHeader } from '../jobs/receipt.ts'

/** Variables of CI may contain a password: a key instead of a name, or a URL with a user. */
export function actorOf({ host, secrets }: Pick<Context, 'host' | 'secrets'>): JobHeader['actor'] {
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

/** Containers set no variable for it. Null without an account. */
function accountName({ USER, LOGNAME }: Env): string | null {
  try {
    return USER || LOGNAME || userInfo().username
  } catch {
    return null
  }
}
