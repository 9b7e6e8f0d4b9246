/** A change of one thing, named by its id. */

import { resolve } from 'node:path'
import type { Context, Result } from '../cli/command.ts'
import { confirm, refuseUnanswerable } from '../cli/confirm.ts'
import { checkServerFormat, untouched } from '../cli/server-format.ts'
import { Failure, InterruptedError, NotFoundError, RefusedError } from '../errors.ts'
import { checkWritable } from '../files/private-file.ts'
import { saveBackup } from '../jobs/backup.ts'
import { type Entry, JobState } from '../jobs/job-state.ts'
import { eventsNotQueued, failedOutcome, notAppliedFault } from '../jobs/outcome.ts'
import { writeReceipt } from '../jobs/receipt.ts'
import { describeSchedule } from './deletion-schedule.ts'
import { describeOperation, describePlace, type OperationRequest, operationFor } from './operation-request.ts'
import type { Operation, OperationRow } from './operations.ts'
import { counted, deletesEvents, operations, readRequest, writeRequest } from './operations.ts'
import { preview } from './preview.ts'
import { receiptContext } from './receipt-context.ts'
import { suggestVerify } from './suggest-verify.ts'
import { guardCount, type Many } from './targets.ts'
import { sendWrite } from './write-result.ts'

/** Throws the fitting `Failure`: `NotFoundError` where it is not there. A receipt tells of that as well. */
export async function changeOne(
  context: Context,
  wanted: OperationRequest,
  id: string,
  options: Many,
): Promise<Result> {
  const { host, values, messages } = context
  const row: OperationRow = operations[wanted.command]
  const startedAt = new Date(host.clock.now()).toISOString()
  checkServerFormat(context, { serverFormat: wanted.serverFormat })
  guardCount(1, options)
  const receipt = options.receipt === undefined ? undefined : resolve(host.cwd, options.receipt)
  if (receipt !== undefined) checkWritable(receipt, '--receipt')
  const connection = await context.connect()
  const { client } = connection
  const doing = describeOperation(context, connection, wanted, `${row.noun[0]} ${id}`)
  if (row.takesAway) refuseUnanswerable(host, values, doing)
  const change = await operationFor(connection, wanted)
  const format: [string, string][] = wanted.serverFormat === undefined ? [] : [['format', wanted.serverFormat]]
  const request = writeRequest(client, { ...change, params: [...change.params, ...format] }, id)
  if (row.takesAway || values.dryRun) await preview(context, readRequest(client, change, id), row.view)
  if (row.takesAway) await confirm(host, values, { doing, answer: 'yes' })
  if (options.backup !== undefined && !values.dryRun) {
    const saved = await saveBackup(resolve(host.cwd, options.backup), { client, change, ids: [id], concurrency: 1 })
    messages.notice(`Saved ${counted(saved, change.command)} in ${options.backup}`)
  }
  const where = change.path.project_id === undefined ? '' : ` of project ${change.path.project_id}`
  const told = row.status === 'deleted' ? 'Deleted' : 'Accepted for'
  const done = `${told} ${row.noun[0]} ${id}${where} (${describePlace(context, connection)})`
  let outcome: Entry = [row.status, 0, 'answered', host.clock.now()]
  const onIgnored = () => {
    outcome = ['failed', 0, notAppliedFault, false, host.clock.now()]
  }
  const compared = row.compares ? { wanted: change.body as Readonly<Record<string, unknown>>, onIgnored } : {}
  const account = receiptContext(context, change, {
    job: null,
    reason: options.reason ?? null,
    startedAt,
    connection,
  })
  const report = (outcome: Entry) => {
    if (receipt === undefined || values.dryRun) return
    const state = new JobState(1)
    state.apply(outcome)
    writeReceipt(receipt, account, state, [id], host.clock)
  }
  const sending =
    wanted.serverFormat === undefined
      ? sendWrite(client, request, { id, done, view: row.view, ...compared }, context)
      : untouched(client, request, () => messages.notice(done))
  const result = await sending.catch((error: unknown) => {
    const failure = unqueued(error, change)
    if (failure instanceof Failure && !isOurs(failure))
      report(['failed', 0, failedOutcome(failure).fault, false, host.clock.now()])
    throw failure
  })
  if (values.dryRun) return result
  if (deletesEvents(change)) messages.notice(describeSchedule(connection.now()))
  report(outcome)
  if (receipt !== undefined) suggestVerify(context, change, receipt)
  return result
}

/** Ended before the service had its say: there is nothing to report. */
function isOurs(failure: Failure): boolean {
  return failure instanceof RefusedError || failure instanceof InterruptedError
}

/** The events of a person who is not there cannot be queued any more, and stay. */
function unqueued(error: unknown, change: Operation): unknown {
  if (!(error instanceof NotFoundError) || !deletesEvents(change)) return error
  const message = `${error.message}; its events could not be queued for deletion`
  return new NotFoundError(message, { ...error.facts, code: eventsNotQueued })
}
