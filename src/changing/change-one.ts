/** A change of one thing, named by its id. */

import { resolve } from 'node:path'
import { backUp } from '../bulk/backup.ts'
import type { Change, ChangeRow } from '../bulk/changes.ts'
import { changes, counted, deletesEvents, readingOf, stepOf } from '../bulk/changes.ts'
import { failed, ignored, notQueued } from '../bulk/outcome.ts'
import { writeReceipt } from '../bulk/receipt.ts'
import { type Entry, Standing } from '../bulk/standing.ts'
import type { Context, Result } from '../cli/command.ts'
import { confirm, refuseUnanswerable } from '../cli/confirm.ts'
import { checkServerFormat, untouched } from '../cli/server-format.ts'
import { Failure, InterruptedError, NotFoundError, RefusedError } from '../errors.ts'
import { checkWritable } from '../files/private-file.ts'
import { accountOf } from './account.ts'
import { due } from './due.ts'
import { preview } from './preview.ts'
import { suggestVerify } from './suggest-verify.ts'
import { guardCount, type Many } from './targets.ts'
import { changeIn, placeOf, saying, type Wanted } from './wanted.ts'
import { write } from './written.ts'

/** Throws the fitting `Failure`: `NotFoundError` where it is not there. A receipt tells of that as well. */
export async function changeOne(context: Context, wanted: Wanted, id: string, options: Many): Promise<Result> {
  const { host, values, messages } = context
  const row: ChangeRow = changes[wanted.command]
  const startedAt = new Date(host.clock.now()).toISOString()
  checkServerFormat(context, { serverFormat: wanted.serverFormat })
  guardCount(1, options)
  const receipt = options.receipt === undefined ? undefined : resolve(host.cwd, options.receipt)
  if (receipt !== undefined) checkWritable(receipt, '--receipt')
  const connection = await context.connect()
  const { client } = connection
  const doing = saying(context, connection, wanted, `${row.noun[0]} ${id}`)
  if (row.takesAway) refuseUnanswerable(host, values, doing)
  const change = await changeIn(connection, wanted)
  const format: [string, string][] = wanted.serverFormat === undefined ? [] : [['format', wanted.serverFormat]]
  const request = stepOf(client, { ...change, params: [...change.params, ...format] }, id)
  if (row.takesAway || values.dryRun) await preview(context, readingOf(client, change, id), row.view)
  if (row.takesAway) await confirm(host, values, { doing, answer: 'yes' })
  if (options.backup !== undefined && !values.dryRun) {
    const saved = await backUp(resolve(host.cwd, options.backup), { client, change, ids: [id], concurrency: 1 })
    messages.notice(`Saved ${counted(saved, change.command)} in ${options.backup}`)
  }
  const where = change.path.project_id === undefined ? '' : ` of project ${change.path.project_id}`
  const told = row.status === 'deleted' ? 'Deleted' : 'Accepted for'
  const done = `${told} ${row.noun[0]} ${id}${where} (${placeOf(context, connection)})`
  let outcome: Entry = [row.status, 0]
  const onIgnored = () => {
    outcome = ['failed', 0, ignored, false]
  }
  const compared = row.compares ? { wanted: change.body as Readonly<Record<string, unknown>>, onIgnored } : {}
  const account = accountOf(context, change, {
    job: null,
    reason: options.reason ?? null,
    startedAt,
    connection,
  })
  const report = (outcome: Entry) => {
    if (receipt === undefined || values.dryRun) return
    const standing = new Standing(1)
    standing.apply(outcome)
    writeReceipt(receipt, account, standing, [id], host.clock)
  }
  const sending =
    wanted.serverFormat === undefined
      ? write(client, request, { id, done, view: row.view, ...compared }, context)
      : untouched(client, request, () => messages.notice(done))
  const result = await sending.catch((error: unknown) => {
    const failure = unqueued(error, change)
    if (failure instanceof Failure && !isOurs(failure)) report(['failed', 0, failed(failure).fault, false])
    throw failure
  })
  if (values.dryRun) return result
  if (deletesEvents(change)) messages.notice(due(connection.now()))
  report(outcome)
  if (receipt !== undefined) suggestVerify(context, change, receipt)
  return result
}

/** Ended before the service had its say: there is nothing to report. */
function isOurs(failure: Failure): boolean {
  return failure instanceof RefusedError || failure instanceof InterruptedError
}

/** The events of a person who is not there cannot be queued any more, and stay. */
function unqueued(error: unknown, change: Change): unknown {
  if (!(error instanceof NotFoundError) || !deletesEvents(change)) return error
  const message = `${error.message}; its events could not be queued for deletion`
  return new NotFoundError(message, { ...error.facts, code: notQueued })
}
