/** The steps of every change of objects, from the first check to the receipt. One target is a run of one. */
import type { Connection, Context } from '../context.ts'
import { JobState } from '../jobs/job-state.ts'
import { writeReceipt } from '../jobs/receipts/make-receipt.ts'
import { targetIdsOf, withBodies } from '../operations/operation.ts'
import type { Result } from '../result.ts'
import { chooseTargets } from '../targets/choose-targets.ts'
import { namesOne, type Selection } from '../targets/source.ts'
import { agree } from './agree.ts'
import { checkAt } from './checks/checks.ts'
import { warnOfReceipt } from './checks/written-files.ts'
import { execute } from './execute.ts'
import { keepRun } from './keep-run.ts'
import { fixScope, fixTarget, forRun, operationIn } from './place.ts'
import { receiptContext } from './receipt-facts.ts'
import type { RunRequest } from './request.ts'
import type { ResolvedRun } from './run.ts'
import { createReads } from './steps/reads.ts'
import { nothingDone } from './write-result.ts'

/** Throws if the run cannot start; later failures come with the result. */
export async function startRun(context: Context, request: RunRequest): Promise<Result> {
  const { operation, targets: source, purpose } = request
  await checkAt('typed', { context, request })
  const selection = await chooseTargets(context, targetIdsOf(operation), source)
  const connection = await openPlace(context, request, selection)
  const run = await resolveTargets(context, request, connection, selection)
  await checkAt('resolved', { context, request, run, limit: selection.limit })
  warnOfReceipt(context, run.receipt, purpose.kind === 'resume' ? purpose.job.name : undefined)
  if (run.targets.length === 0) return reportNothing(context, run)
  await agree(context, request, run)
  return execute(context, await keepRun(context, request, run))
}

/** Makes every check that needs no request; then ids replace `@current`. */
async function openPlace(context: Context, request: RunRequest, selection: Selection): Promise<Connection> {
  const { operation, targets: source } = request
  await checkAt('chosen', { context, request, selection })
  const first = await context.connect()
  const connection = namesOne(source) ? first : forRun(first)
  await checkAt('connected', { context, request, selection, connection })
  return source.kind === 'fixed' ? source.place(connection) : fixScope(connection, operation)
}

function concurrencyOf({ values }: Context, { concurrency }: RunRequest): number {
  return values.dryRun ? 1 : (concurrency ?? 8)
}

/** Finds the whole set of targets, and fixes it. */
async function resolveTargets(
  context: Context,
  request: RunRequest,
  connection: Connection,
  selection: Selection,
): Promise<ResolvedRun> {
  const { host, values } = context
  const { records, guards } = request
  const { targets } = await fixTarget(connection, selection)
  const template = await operationIn(connection, request.operation)
  const concurrency = concurrencyOf(context, request)
  const reads = createReads(host.clock)
  const found = typeof targets === 'function' ? await targets(connection, concurrency) : targets
  const { ids, account: input, bodies } = found
  const operation = bodies ? withBodies(template, ids, bodies) : template
  return {
    connection,
    operation,
    targets: ids,
    isOne: namesOne(request.targets),
    asked: { reason: records.reason, requestedBy: null, received: null, input },
    backup: records.backup,
    // A dry run writes nothing.
    receipt: values.dryRun ? undefined : records.receipt,
    concurrency,
    maxFailures: guards.maxFailures,
    reads,
  }
}

/** An empty list means no targets, never all. */
function reportNothing(context: Context, run: ResolvedRun): Result {
  const { host } = context
  const { receipt } = run
  const result = nothingDone(context, 'there are no targets')
  if (receipt !== undefined) {
    const startedAt = new Date(host.clock.now()).toISOString()
    const about = receiptContext(context, { ...run, job: undefined, backup: undefined }, startedAt)
    writeReceipt(receipt, about, new JobState(0), [])
  }
  return result
}
