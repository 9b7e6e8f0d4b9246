import { dirname } from 'node:path'
import type { Context, Result } from '../context.ts'
import { UsageError } from '../errors.ts'
import { absolutePath } from '../host.ts'
import { type Job, journalOf, lockJob, openJob, readJobValues, readTargets, refuseHeld, saveJob } from '../jobs/job.ts'
import { withLongWaits } from '../jobs/run-parallel.ts'
import { isObject } from '../json/exact.ts'
import { isOperation, operationOf } from '../operations/operation.ts'
import { checkOutputFiles, type PlannedWrite, passChecks, planWrites, singleRequest } from './checks.ts'
import { confirmRun } from './confirm.ts'
import { close, execute } from './execute.ts'
import { nothingToDo } from './report.ts'
import type { Run } from './run.ts'
import { requireSameProject } from './scope.ts'

type ResumeOptions = Readonly<Record<'receipt' | 'backup', string | undefined>> &
  Readonly<Record<'concurrency' | 'maxFailures', number | undefined>>

/** Throws `RefusedError` if another process works on the job, or it belongs elsewhere. */
export async function resumeJob(context: Context, job: Job, options: ResumeOptions): Promise<Result> {
  const { host } = context
  const values = readValues(job)
  const typed = options.receipt === undefined ? undefined : absolutePath(host, options.receipt)
  const receipt = typed ?? values?.receipt
  const backup = backupOf(context, job, options.backup)
  const files = { receipt, backup: backup?.path, backupsRead: job.backups }
  const journal = journalOf(job)
  if (journal.isFinished) return completeJob(context, job, files)
  if (!values) throw cannotResume(job, 'is missing')
  const operation = operationOf(values.operation)
  const { scope } = operation.collection
  const plan = { ...singleRequest, files, scope, ...planWrites(operation.writes(), job.total) }
  await passChecks(context, plan, 'start')
  refuseHeld(job, host)
  const opened = withLongWaits(await context.connect())
  const connection = await requireSameProject(opened, job.header, operation.collection, 'The job')
  const run: Run = {
    connection,
    scope: job.header.path,
    operation,
    values: { ...values, receipt },
    targets: readTargets(job),
    isOne: false,
    backup,
    concurrency: options.concurrency ?? job.concurrency,
    maxFailures: options.maxFailures ?? job.maxFailures,
    header: { ...job.header, backup: options.backup ?? job.header.backup },
    journal,
    job: undefined,
    lock: undefined,
  }
  await confirmRun(context, run, false)
  return execute(context, context.values.dryRun ? run : holdJob(context, run, job))
}

/** Undefined once they are erased. Throws `UsageError` for a damaged file. */
function readValues(job: Job): Run['values'] | undefined {
  const values = readJobValues(job)
  if (values === undefined || isValuesOf(values, job)) return values
  throw cannotResume(job, 'is damaged')
}

/** This version wrote the file, so it is either whole or damaged. */
function isValuesOf(values: unknown, { header, total }: Job): values is Run['values'] {
  const { operation, valuesPerTarget, matchedBy, receipt } = isObject(values) ? values : {}
  const isList = (list: unknown) => list === undefined || (Array.isArray(list) && list.length === total)
  return (
    isObject(operation) &&
    isObject(operation.values) &&
    isOperation(operation.command) &&
    `${header.command} `.startsWith(`${operation.command} `) &&
    isList(valuesPerTarget) &&
    (matchedBy === undefined || (isObject(matchedBy) && Array.isArray(matchedBy.names) && isList(matchedBy.names))) &&
    (receipt === undefined || typeof receipt === 'string')
  )
}

function cannotResume({ folder }: Job, why: string): UsageError {
  return new UsageError(`The values.json in ${folder} ${why}, so the job cannot be resumed`, {
    hint: 'Start a new command with the pending ids of its receipt: analytics jobs receipt',
  })
}

function holdJob({ host }: Context, run: Run, job: Job): Run {
  const held = lockJob(job, host)
  // Read again: another resume may have added a backup file before this process got the lock.
  const { backups } = openJob(dirname(job.folder), job.name)
  const { backup } = run
  if (backup && !backups.includes(backup.path)) saveJob({ ...job, backups: [...backups, backup.path] })
  return { ...run, ...held }
}

/** A resume may run in another folder than the one in which the name was typed. */
function backupOf({ host }: Context, { backups }: Job, typed: string | undefined): Run['backup'] {
  const path = typed === undefined ? backups.at(-1) : absolutePath(host, typed)
  return path === undefined ? undefined : { name: typed ?? path, path }
}

/** A process that was killed may not have written the receipt of a finished job, or erased its values. */
function completeJob(context: Context, job: Job, files: PlannedWrite['files']): Result {
  checkOutputFiles(context, files)
  const { receipt } = files
  if (!context.values.dryRun) {
    const ended = { header: job.header, targets: readTargets(job), ...lockJob(job, context.host) }
    const failure = close(context, ended, receipt)
    if (failure) throw failure
  }
  return nothingToDo(context, `no pending targets in job ${job.name}`)
}
