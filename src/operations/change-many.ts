/** A change of many things: find them all, say what will happen, ask, save, and then begin. */
import { resolve } from 'node:path'
import type { Connection, Context, Result } from '../cli/command.ts'
import { asks, confirm, refuseUnanswerable } from '../cli/confirm.ts'
import { RefusedError } from '../errors.ts'
import { checkWritable } from '../files/private-file.ts'
import { saveBackup } from '../jobs/backup.ts'
import { createJob } from '../jobs/create-job.ts'
import { jobsFolder } from '../jobs/job.ts'
import { JobState } from '../jobs/job-state.ts'
import { memoryJournal } from '../jobs/journal.ts'
import { outcomeView } from '../output/views.ts'
import { grouped } from '../values/grouped.ts'
import { describeOperation, type OperationRequest, operationFor } from './operation-request.ts'
import { counted, type Operation, type OperationRow, operations, readRequest } from './operations.ts'
import { preview } from './preview.ts'
import { type OperationRun, runOperation, type Unsent } from './run-operation.ts'
import { type Chosen, type Giving, guardCount, recorded } from './targets.ts'

/** Throws a `Failure` for whatever keeps it from beginning; what ends it comes with the result. */
export async function changeMany(
  context: Context,
  wanted: OperationRequest,
  chosen: Chosen,
  options: Giving,
): Promise<Result> {
  const { host, values } = context
  const { takesAway }: OperationRow = operations[wanted.command]
  if (chosen.ids) guardCount(chosen.ids.length, options)
  if (chosen.ids?.length === 0) return nothing(context)
  const asked = takesAway || chosen.ids === undefined || chosen.ids.length > 1
  const concurrency = Math.max(1, options.concurrency ?? 8)
  if (options.receipt !== undefined) checkWritable(resolve(host.cwd, options.receipt), '--receipt')
  const connection = await context.connect({ connections: concurrency })
  if (asked) refuseUnasked(context, connection, wanted, chosen, options)

  const change = await operationFor(connection, wanted)
  const ids = chosen.ids ?? (await find(chosen, connection, concurrency))
  guardCount(ids.length, options)
  if (ids.length === 0) return nothing(context)
  await announce(context, connection, wanted, change, ids, asked)
  if (values.dryRun) return runOperation(context, { ...running(connection, change, ids), concurrency: 1 })
  if (options.backup !== undefined) {
    const saved = await saveBackup(resolve(host.cwd, options.backup), {
      client: connection.client,
      change,
      ids,
      concurrency,
    })
    context.messages.notice(`Saved ${counted(saved, change.command)} in ${options.backup}`)
  }
  return begin(context, connection, { ...running(connection, change, ids), concurrency }, options)
}

async function find({ find }: Chosen, { client, project, now }: Connection, concurrency: number) {
  return (await find?.({ client, project: project(), now: now() }, concurrency)) ?? []
}

/** An empty list is nothing to do, never everything. */
function nothing({ messages }: Context): Result {
  messages.notice('Nothing to do: there are no targets')
  return { document: { shape: 'list', batches: [], view: outcomeView } }
}

/** Before any request. Where the targets come from stdin, nobody is left to answer on it. */
function refuseUnasked(
  context: Context,
  connection: Connection,
  wanted: OperationRequest,
  { ids }: Chosen,
  options: Giving,
): void {
  const { host, values } = context
  // How many a filter selects nobody knows before it was asked.
  const what = ids ? counted(ids.length, wanted.command) : operations[wanted.command].noun[1]
  const doing = describeOperation(context, connection, wanted, what)
  refuseUnanswerable(host, values, doing)
  const fromStdin = options.from === '-' || options.distinctIdsFrom === '-'
  if (!fromStdin || values.yes || values.dryRun) return
  throw new RefusedError(`${doing} needs confirmation, and the ids come on stdin`, {
    hint: 'Pass --yes to go ahead',
  })
}

/** Says what will happen, and shows the first three where somebody decides by it. */
async function announce(
  context: Context,
  connection: Connection,
  wanted: OperationRequest,
  change: Operation,
  ids: readonly string[],
  asked: boolean,
): Promise<void> {
  const { host, values, messages } = context
  // Whoever is asked has to know about what, however quiet it is to be.
  const tell = asked && asks(values) ? messages.say : messages.notice
  tell(describeOperation(context, connection, wanted, counted(ids.length, wanted.command)))
  if (asked || values.dryRun) {
    for (const id of ids.slice(0, 3)) {
      await preview(context, readRequest(connection.client, change, id), operations[wanted.command].view)
    }
  }
  if (!asked) return
  const count = String(ids.length)
  const doing = ids.length > 3 ? `And ${grouped(ids.length - 3)} more, ${grouped(ids.length)} in all` : 'That is all'
  await confirm(host, values, { doing, answer: ids.length === 1 ? 'yes' : { text: count, what: count } })
}

function running(connection: Connection, change: Operation, ids: readonly string[]): Omit<OperationRun, 'concurrency'> {
  return { connection, change, ids, journal: memoryJournal(new JobState(ids.length)) }
}

/** Each run of more than one target is a job: kept on disk before the first of them is changed. */
function begin(context: Context, connection: Connection, plain: OperationRun, options: Giving): Promise<Result> {
  const { host, settings } = context
  const { change, ids } = plain
  const { maxFailures, canary, reason = null } = options
  const receipt = options.receipt === undefined ? undefined : { path: resolve(host.cwd, options.receipt), reason }
  const run = { ...plain, maxFailures, canary, receipt }
  if (ids.length === 1) return runOperation(context, run)
  const jobs = jobsFolder(context.stateFolder())
  const { command, path, params, body } = change
  const profile = settings.profile?.name ?? null
  const what = { command, path, profile, base: connection.client.base.href, options: recorded(options) }
  const unsent: Unsent = { params, body, receipt }
  const held = createJob(jobs, what, ids, unsent, host)
  return runOperation(context, { ...run, journal: held.journal, held, isNew: true })
}
