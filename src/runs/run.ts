import { userInfo } from 'node:os'
import type { Connection, Context } from '../context.ts'
import { type Host, isCi } from '../host.ts'
import type { Job } from '../jobs/job.ts'
import { Journal } from '../jobs/journal.ts'
import { digestOfTargets, type JobHeader } from '../jobs/receipt.ts'
import type { Lock } from '../locks/lock.ts'
import type { Scope } from '../operations/collections.ts'
import { type Operation, type OperationRequest, operationOf } from '../operations/operation.ts'
import type { TargetSource, Targets } from '../targets/source.ts'
import { withoutUser } from '../values/url.ts'

/** What a run is asked to do. Nothing below it knows an option or a default. */
export interface RunRequest {
  readonly operation: OperationRequest
  readonly targets: TargetSource
  readonly undoes: { readonly header: JobHeader; readonly backups: readonly string[] } | undefined
  readonly guards: Readonly<Record<'expect' | 'max', number | undefined>>
  readonly concurrency: number
  readonly maxFailures: number | undefined
  readonly backup: { readonly name: string; readonly path: string } | undefined
  readonly receipt: string | undefined
  readonly reason: string | null
  readonly commandLine: string
}

interface RunValues extends Omit<Targets, 'ids' | 'input'> {
  readonly operation: OperationRequest
  /** The user entered the ids, so they may be distinct ids. */
  readonly isGiven: boolean
  readonly receipt: string | undefined
}

export interface Run extends Pick<RunRequest, 'backup' | 'concurrency' | 'maxFailures'> {
  readonly connection: Connection
  readonly scope: Scope
  readonly operation: Operation
  readonly values: RunValues
  readonly targets: readonly string[]
  /** The command line names one object, and the command returns its record. */
  readonly isOne: boolean
  readonly header: JobHeader
  readonly journal: Journal
  readonly job: Job | undefined
  readonly lock: Lock | undefined
}

export interface RunSummary {
  /** What stopped it, and why the receipt or the end of the journal could not be written; undefined otherwise. */
  readonly stopped: unknown
  readonly finalizeError: unknown
  readonly ms: number
}

interface ResolvedRun extends Pick<Run, 'connection' | 'scope' | 'operation' | 'isOne'> {
  readonly request: RunRequest
  readonly targets: Targets
}

export function runOf(context: Context, resolved: ResolvedRun): Run {
  const { request, targets, ...known } = resolved
  const { targets: source, backup, receipt, concurrency, maxFailures } = request
  const { ids, input: _, ...found } = targets
  return {
    ...known,
    values: {
      ...found,
      operation: request.operation,
      isGiven: source.kind === 'typed' || source.kind === 'file' || source.kind === 'rows',
      receipt: context.values.dryRun ? undefined : receipt,
    },
    targets: ids,
    backup,
    concurrency,
    maxFailures,
    header: headerOf(context, resolved),
    journal: new Journal(ids.length),
    job: undefined,
    lock: undefined,
  }
}

export function operationFor({ operation, values }: Pick<Run, 'operation' | 'values'>, target: number): Operation {
  return values.valuesPerTarget ? operationOf(values.operation, values.valuesPerTarget[target]) : operation
}

function headerOf(context: Context, { request, operation, connection, scope, targets }: ResolvedRun): JobHeader {
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

function ciOf(env: Host['env']): string | null {
  if (env.GITHUB_ACTIONS) return 'GitHub Actions'
  if (env.GITLAB_CI) return 'GitLab CI'
  if (env.JENKINS_URL) return 'Jenkins'
  return isCi(env) ? 'CI' : null
}

/** Containers set no variable for the user. */
function accountName({ USER, LOGNAME }: Host['env']): string | null {
  try {
    return USER || LOGNAME || userInfo().username
  } catch {
    return null
  }
}
