/** Keeps a run as a job before its first request, or reports that there is nothing to do. */
import type { Connection, Context } from '../context.ts'
import { UnavailableError, UsageError } from '../errors.ts'
import { createJob } from '../jobs/create-job.ts'
import { jobsFolder } from '../jobs/job.ts'
import { JobState } from '../jobs/job-state.ts'
import { memoryJournal } from '../jobs/journal/journal.ts'
import { pruneJobs } from '../jobs/prune-jobs.ts'
import { writeReceipt } from '../jobs/receipts/make-receipt.ts'
import type { RequestDetails } from '../jobs/receipts/receipt.ts'
import type { Targets } from '../jobs/targets/target-list.ts'
import { createMarkKey } from '../jobs/undo/marks.ts'
import { outcomeView } from '../output/views.ts'
import { type Result, write } from '../result.ts'
import { counted, type Operation, rowOf } from './operation.ts'
import type { OperationRun } from './run/operation-run.ts'
import type { Reads } from './run/reads.ts'
import { actorOf, backupFile, clockAhead, receiptContext } from './run/receipt-context.ts'
import type { Unsent } from './run/unsent.ts'
import type { PlannedRun, RunRequest } from './run-request.ts'
import type { SeenRecords } from './seen-records.ts'
import type { Selection } from './targets/selection.ts'

/** A run whose place and targets are fixed. */
export interface ResolvedRun extends Pick<Selection, 'limit' | 'isOne' | 'selectedBy'> {
  readonly connection: Connection
  readonly operation: Operation
  readonly ids: Targets
  readonly asked: RequestDetails
  readonly reads: Reads
  readonly seen: SeenRecords
  /** Absolute path. */
  readonly receipt: string | undefined
  readonly concurrency: number
  /** Milliseconds that are left of `--max-duration`. */
  readonly maxDuration: number | undefined
}

/** An empty list means no targets, never all; others need no change. */
export function reportNothing(context: Context, { receipt, ...run }: ResolvedRun): Result {
  const { host, values, messages } = context
  const { ids, operation } = run
  const many = `${counted(ids.length, operation)} need${ids.length === 1 ? 's' : ''} no change`
  messages.notice(`Nothing to do: ${ids.length === 0 ? 'there are no targets' : many}`)
  if (receipt !== undefined && !values.dryRun) {
    const startedAt = new Date(host.clock.now()).toISOString()
    writeReceipt(receipt, receiptContext(context, run, startedAt), new JobState(0), [])
  }
  return write({ document: { shape: 'list', batches: [], view: outcomeView } })
}

export function keepRun(context: Context, request: RunRequest, resolved: ResolvedRun): OperationRun {
  const { ids, isOne, connection, operation, concurrency, maxDuration, reads, receipt, asked } = resolved
  const { maxFailures, canary } = request.guards
  const run = { connection, operation, targets: ids, concurrency, maxDuration, isOne, reads, canary }
  if (context.values.dryRun) return inMemory(run)
  const backup = backupFile(context.host, request.records.backup)
  const kept = ofJob(context, request, { ...run, maxFailures, backup, receipt, asked })
  if (kept.job) pruneJobs(jobsFolder(context.stateFolder()), context.host)
  return kept
}

type NewRun = Omit<OperationRun, 'journal'>

function inMemory(run: NewRun): OperationRun {
  return { ...run, journal: memoryJournal(new JobState(run.targets.length)) }
}

type AskedRun = NewRun & { readonly asked: RequestDetails }

/** If no job can be made, a run of one target goes on without it, unless it has a plan or a receipt, or a limit requires one. */
function ofJob(context: Context, { purpose, recorded }: RunRequest, run: AskedRun): OperationRun {
  const { messages, settings } = context
  const planned = purpose.kind === 'planned' ? purpose : undefined
  try {
    return createRunJob(context, run, { planned, recorded })
  } catch (error) {
    const mustLeave = planned !== undefined || run.receipt !== undefined || settings.limits.require.length > 0
    if (run.targets.length > 1 || mustLeave || !(error instanceof UsageError || error instanceof UnavailableError))
      throw error
    messages.warn(`${error.message}, so this change is not kept as a job`)
    return inMemory(run)
  }
}

interface KeptFacts extends Pick<RunRequest, 'recorded'> {
  readonly planned: PlannedRun | undefined
}

/** The job is on disk before the first target is changed. */
function createRunJob(context: Context, run: AskedRun, { planned, recorded }: KeptFacts): OperationRun {
  const { host, settings } = context
  const { operation, receipt, backup, connection, asked } = run
  const header = {
    command: operation.command,
    path: { ...operation.path },
    profile: settings.profile?.name ?? null,
    base: connection.client.base.href,
    options: recorded,
    receipt: { asked, actor: actorOf(context), backup: backup ?? null, clockAhead: clockAhead(host, connection) },
    markKey: backup && rowOf(operation).undoneBy ? createMarkKey() : undefined,
    plan: planned?.sha256,
    plannedFailures: planned?.maxFailures,
  }
  const unsent: Unsent = { operation, receipt }
  const job = createJob(jobsFolder(context.stateFolder()), header, run.targets, unsent, host)
  return { ...run, targets: job.job.targets, journal: job.journal, job, isNew: true }
}
