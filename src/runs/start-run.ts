/** The story of every change of objects: check, choose, resolve, confirm, execute, report. One target is a run of one. */
import type { Connection, Context } from '../context.ts'
import { createJob, jobsFolder } from '../jobs/job.ts'
import { Journal } from '../jobs/journal.ts'
import { digestOfTargets, type JobHeader, receiptOf, writeReceipt } from '../jobs/receipt.ts'
import { pathIn } from '../operations/collections.ts'
import { type Operation, operationOf } from '../operations/operation.ts'
import type { Result } from '../result.ts'
import { chooseTargets } from '../targets/choose-targets.ts'
import { namesOne, type Targets } from '../targets/source.ts'
import { actorOf } from './actor.ts'
import { passChecks } from './checks.ts'
import { confirmRun } from './confirm.ts'
import { execute } from './execute.ts'
import { requireSameServer, resolveScope, withLongWaits } from './place.ts'
import { needsConfirmation, planRun } from './plan.ts'
import type { Run, RunRequest } from './run.ts'
import { nothingDone } from './write-result.ts'

/** Throws if the run cannot start; later failures come with the result. */
export async function startRun(context: Context, request: RunRequest): Promise<Result> {
  const operation = operationOf(request.operation)
  const { find, count, limit } = await chooseTargets(context, operation.ids, request.targets)
  const asked = { request, operation, limit, count }
  await passChecks(context, planRun(context, asked), 'start')
  const connection = await connectionFor(context, request, operation)
  const found = await find(connection, request.concurrency)
  const plan = planRun(context, { ...asked, count: found.ids.length })
  await passChecks(context, plan, 'resolved')
  const run = await resolve(context, asked, connection, found)
  if (found.ids.length === 0) return reportNothing(context, run, request)
  const confirm = () => confirmRun(context, run, needsConfirmation(request, operation))
  await passChecks(context, { ...plan, confirm }, 'confirm')
  return execute(context, keepRun(context, run, wereSeen(request.targets, found)))
}

async function connectionFor(context: Context, request: RunRequest, { of }: Operation): Promise<Connection> {
  const { targets, undoes } = request
  const opened = await context.connect()
  const connection = namesOne(targets) ? opened : withLongWaits(opened)
  return undoes ? requireSameServer(connection, undoes.head, of, 'The job') : resolveScope(connection, of)
}

type Asking = Pick<Run, 'operation'> & { readonly request: RunRequest }

async function resolve(context: Context, asked: Asking, connection: Connection, found: Targets): Promise<Run> {
  const { host, config, values } = context
  const { request, operation } = asked
  const { targets: source, backup, receipt, reason, words, concurrency, maxFailures } = request
  const { ids, valuesPerTarget, input } = found
  const scope = await pathIn(connection, operation.of)
  const { deletesEvents } = operation
  const head: JobHeader = {
    tool: `analytics ${host.version}`,
    command: words,
    base_url: connection.client.base.href,
    project: scope.project_id ?? null,
    profile: config.profileName ?? null,
    path: scope,
    job: null,
    reason,
    started_at: new Date(host.clock.now()).toISOString(),
    events: deletesEvents === undefined ? null : { deleted: deletesEvents },
    actor: actorOf(context),
    targets_sha256: digestOfTargets(ids),
    input,
    backup: backup?.name ?? null,
  }
  return {
    connection,
    scope,
    operation,
    values: {
      operation: request.operation,
      each: valuesPerTarget,
      found: found.matchedBy,
      uuids: found.uuids,
      isGiven: source.kind === 'typed' || source.kind === 'file' || source.kind === 'rows',
      receipt: values.dryRun ? undefined : receipt,
    },
    targets: ids,
    isOne: namesOne(source),
    backup,
    concurrency,
    maxFailures,
    head,
    journal: new Journal(ids.length),
    job: undefined,
    lock: undefined,
  }
}

/** An empty list means no targets, never all. */
function reportNothing(context: Context, { head, operation, values, journal }: Run, { targets }: RunRequest): Result {
  if (values.receipt !== undefined) writeReceipt(values.receipt, receiptOf(head, journal, []))
  const none = operation.of.collection === 'persons' ? 'no person matches' : 'no object matches'
  return nothingDone(context, targets.kind === 'rows' ? 'no row has a value to set' : none)
}

/** A lookup or a filter has just shown the targets, so a later 404 does not mean the wrong project. */
function wereSeen({ kind }: RunRequest['targets'], { matchedBy }: Targets): boolean {
  return kind === 'filter' || kind === 'names' || matchedBy !== undefined
}

/** As a job, before its first request. */
function keepRun(context: Context, run: Run, isSeen: boolean): Run {
  if (context.values.dryRun) return run
  const { head, targets, values, backup, concurrency, maxFailures } = run
  const facts = { head, targets, values, backups: backup ? [backup.path] : [], concurrency, maxFailures }
  const held = createJob(jobsFolder(context.stateFolder()), facts, context.host)
  if (isSeen) held.journal.noteSeen()
  return { ...run, ...held, head: held.job.head }
}
