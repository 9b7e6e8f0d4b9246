import { userInfo } from 'node:os'
import { withoutUser } from '../api/base-url.ts'
import type { Context } from '../context.ts'
import { type Host, isCi } from '../host.ts'
import type { Head } from '../jobs/receipt.ts'

/** Variables of CI may contain a password: a key instead of a name, or a URL with a user. */
export function actorOf({ host, secrets }: Pick<Context, 'host' | 'secrets'>): Head['actor'] {
  const { user, run, ...actor } = actorIn(host)
  return { ...actor, user: user && secrets.hide(user), run: run && secrets.hide(withoutUser(run)) }
}

function actorIn({ env, machine }: Host): Head['actor'] {
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
