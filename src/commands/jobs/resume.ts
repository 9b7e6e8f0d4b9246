import { resolve } from 'node:path'
import { type Connection, type Context, defineCommand, type Result } from '../../cli/command.ts'
import { confirmsEachWrite, refuseUnanswerable } from '../../cli/confirm.ts'
import { flag, optionalArgument } from '../../cli/options.ts'
import { type Failure, RefusedError, UsageError } from '../../errors.ts'
import { checkWritable, writePrivateFile } from '../../files/private-file.ts'
import { type BackupFile, checkBackup } from '../../jobs/backup.ts'
import { eraseUnsent, type Header, type Job, jobsFolder, listJobs, openJob, unsentOf } from '../../jobs/job.ts'
import { type Journal, memoryJournal } from '../../jobs/journal/journal.ts'
import { type LockedJob, lockJob } from '../../jobs/locked-job.ts'
import { printReceipt } from '../../jobs/receipt.ts'
import { refuseForbidden } from '../../operations/guards/consent.ts'
import { differing, refuseElsewhere } from '../../operations/guards/refuse-elsewhere.ts'
import { refuseLookup } from '../../operations/guards/refuse-lookup.ts'
import { refuseSameFile } from '../../operations/guards/refuse-same-file.ts'
import { counted, isOperationName, type Operation, writeEndpoints } from '../../operations/operation.ts'
import { plannedFailures } from '../../operations/planned-failures.ts'
import { previewAndAsk } from '../../operations/preview-and-ask.ts'
import { sayHowToResume } from '../../operations/run/end-run.ts'
import type { OperationRun } from '../../operations/run/operation-run.ts'
import { backupFile } from '../../operations/run/receipt-context.ts'
import { runOperation, type Unsent } from '../../operations/run/run-operation.ts'
import { describeOperation } from '../../operations/scope.ts'
import { jobOptions, type TargetOptions } from '../../operations/targets/target-options.ts'
import { warnOfReceipt } from '../../operations/warn-of-receipt.ts'
import { outcomeView } from '../../output/views.ts'
import { backupPathsOf, backupsOf, receiptAgain } from './receipt-again.ts'

export default defineCommand({
  summary: 'Finish a bulk run that was stopped, and try the failed ones once more',
  details:
    'No question is asked again, except under the safety level confirm. What is recorded as done is not sent again; what was sent and never answered is. The job may have begun on another machine; the server and the project must be the same.',
  calls: writeEndpoints,
  args: { job: optionalArgument('JOB', 'id of the job, or a part of it that no other job has') },
  options: {
    last: flag('the newest job of this server and project with something left to try'),
    ...jobOptions,
  },
  examples: [
    'jobs resume 20260515-120000-i000 # Go on with a job',
    'jobs resume --last --max-duration 5h # Go on with the newest one, for five hours at most',
  ],
  async run({ job: typed }, options, context) {
    const { host, values, stateFolder } = context
    const jobs = jobsFolder(stateFolder())
    const name = options.last ? await lastJob(context, typed) : typed
    if (name === undefined && options.last)
      return nothingLeft(context, 'no job of this server and project has anything left to try')
    if (name === undefined) throw new UsageError('No job given', { hint: 'Give JOB, or --last' })
    const found = openJob(jobs, name)
    const { header } = found
    refuseLookup(header)
    const concurrency = values.dryRun ? 1 : (options.concurrency ?? numberIn(header, 'concurrency') ?? 8)
    const connected = await context.connect({ connections: concurrency })
    refuseEarly(context, connected, found, options)
    const connection = await refuseElsewhere(connected, header, 'The job', 'Resume')
    if (values.dryRun) {
      return resume(context, found, options, { connection, journal: memoryJournal(found.state), concurrency })
    }
    const job = lockJob(jobs, found.name, host)
    const { journal } = job
    try {
      // Where the job was removed meanwhile, its name may be a part of that of another one, in another project.
      if (job.job.digest !== found.digest) {
        throw new RefusedError(`Job ${found.name} was removed in the meantime`, { hint: 'See analytics jobs list' })
      }
      return await resume(context, job.job, options, {
        connection,
        journal,
        job,
        concurrency,
        maxFailures: maxFailuresOf(context, header, options.maxFailures),
        maxDuration: options.maxDuration,
        canary: numberIn(header, 'canary'),
      })
    } catch (error) {
      job.release()
      throw error
    }
  },
})

type ResumeOptions = Pick<TargetOptions, 'receipt' | 'backup'>

async function resume(
  context: Context,
  job: Job,
  { receipt, backup }: ResumeOptions,
  run: Omit<OperationRun, 'operation' | 'targets' | 'receipt' | 'backup'>,
): Promise<Result> {
  const unsent = unsentOf(job) as Unsent | undefined
  if (job.state.isFinished) return finish(context, job, { receipt: receipt ?? unsent?.receipt, backup }, run.job)
  if (unsent) {
    const files = filesOf(context, job, unsent, { receipt, backup })
    await askAboutRest(context, run.connection, job, unsent.operation)
    const asked = job.header.receipt?.asked
    // A dry run writes no file.
    const written = context.values.dryRun ? { receipt: undefined, backup: undefined } : files
    await keepBackup(written.backup, job, run.journal)
    return runOperation(context, { ...run, ...unsent, ...written, asked, targets: job.targets })
  }
  throw new UsageError(`The job in ${job.folder} has lost what it was going to send`, { hint: 'Run the command again' })
}

/** Does what a process that was killed may have left undone. */
function finish(context: Context, job: Job, { receipt, backup }: ResumeOptions, locked?: LockedJob): Result {
  const { host, values } = context
  const backups = [...backupPathsOf(job), ...(backup === undefined ? [] : [backup])]
  refuseSameFile(context, { receipt }, {}, backups)
  if (receipt !== undefined && !values.dryRun) {
    writePrivateFile(resolve(host.cwd, receipt), '--receipt', printReceipt(receiptAgain(host, job)))
  }
  if (locked) eraseUnsent(job)
  if (job.state.counts.failed > 0) {
    throw new UsageError('Nothing is left to try: the failed targets do not exist', { hint: 'See analytics jobs show' })
  }
  locked?.release()
  return nothingLeft(context, 'the job is done')
}

/** The receipt names the last one, and none of them may be replaced. */
async function keepBackup(backup: BackupFile | undefined, job: Job, journal: Journal): Promise<void> {
  if (backup && backup.path !== backupPathsOf(job).at(-1)) await journal.keep(['backup', backup])
}

/** Those of the run, where no others are given. */
function filesOf({ host }: Context, job: Job, unsent: Unsent, { receipt, backup }: ResumeOptions) {
  const last = backupsOf(job).at(-1)
  const given = backupFile(host, backup)
  return {
    receipt: receipt === undefined ? unsent.receipt : resolve(host.cwd, receipt),
    // By the name that the receipt had before.
    backup: given === undefined || given.path === last?.path ? last : given,
  }
}

/** What would stop the run later is said before anything is sent. */
function refuseEarly(context: Context, connection: Connection, job: Job, options: ResumeOptions): void {
  const unsent = unsentOf(job) as Unsent | undefined
  if (job.state.isFinished || !unsent || !isOperationName(job.header.command)) return
  const { operation } = unsent
  const { receipt, backup } = filesOf(context, job, unsent, options)
  const { header, targets: ids } = job
  refuseSameFile(context, { receipt, backup: backup?.path })
  refuseSameFile(context, { receipt }, {}, backupPathsOf(job))
  const reason = header.receipt?.asked.reason ?? undefined
  refuseForbidden(context, connection, operation, { ids }, { reason, receipt, plan: header.plan })
  if (context.values.dryRun) return
  if (confirmsEachWrite(context.settings)) {
    const what = counted(restOf(job).length, operation)
    refuseUnanswerable(context, describeOperation(context, connection, operation, what))
  }
  if (receipt !== undefined) checkWritable(receipt, '--receipt')
  warnOfReceipt(context, receipt, job.name)
  if (backup !== undefined) checkBackup(backup.path)
}

function restOf({ state, targets }: Job): readonly string[] {
  return Array.from(state.remaining(), target => targets.at(target) ?? '')
}

/** Only the safety level `confirm` asks again: a job was agreed to when it began. */
async function askAboutRest(context: Context, connection: Connection, job: Job, operation: Operation): Promise<void> {
  if (context.values.dryRun || !confirmsEachWrite(context.settings)) return
  const ids = restOf(job)
  const selection = { ids, limit: ids.length }
  try {
    await previewAndAsk(context, { connection, operation, selection, ids, isAgreed: true })
  } catch (error) {
    sayHowToResume(context, job)
    throw error
  }
}

function nothingLeft({ messages }: Context, why: string): Result {
  messages.notice(`Nothing to do: ${why}`)
  return { document: { shape: 'list', batches: [], view: outcomeView } }
}

/**
 * The newest job of this server and project with something left to try; undefined where there is none. Throws the failure
 * of a job that cannot be read where there is no other: it may have something left.
 */
async function lastJob(context: Context, typed: string | undefined): Promise<string | undefined> {
  if (typed !== undefined) throw new UsageError('--last cannot be combined with JOB', { hint: 'Leave one of them out' })
  const jobs = jobsFolder(context.stateFolder())
  const connection = await context.connect()
  const unread: Failure[] = []
  for (const { name, header, counts } of listJobs(jobs, error => unread.push(error))) {
    if (counts.left + counts.failed === 0 || header.lookup !== undefined) continue
    if ((await differing(connection, header)) || openJob(jobs, name).state.isFinished) continue
    for (const { message } of unread) context.messages.warn(message)
    return name
  }
  const [first, ...rest] = unread
  for (const { message } of rest) context.messages.warn(message)
  if (first) throw first
  return undefined
}

function maxFailuresOf(context: Context, header: Header, given: number | undefined): number | undefined {
  const own = numberIn(header, 'maxFailures')
  return header.plan === undefined ? (given ?? own) : plannedFailures(context, given, own)
}

function numberIn({ options }: Header, name: string): number | undefined {
  const value = options[name]
  return typeof value === 'number' ? value : undefined
}
