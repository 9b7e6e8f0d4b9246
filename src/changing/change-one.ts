/** A change of one thing, named by its id. */

import { resolve } from 'node:path'
import { backUp } from '../bulk/backup.ts'
import type { ChangeRow } from '../bulk/changes.ts'
import { changes, deletesEvents, readingOf, stepOf } from '../bulk/changes.ts'
import { writeReceipt } from '../bulk/receipt.ts'
import { Standing } from '../bulk/standing.ts'
import type { Context, Result } from '../cli/command.ts'
import { confirm, refuseUnanswerable } from '../cli/confirm.ts'
import { checkServerFormat, untouched } from '../cli/server-format.ts'
import { checkWritable } from '../files/private-file.ts'
import { accountOf } from './account.ts'
import { changeIn, placeOf, saying, type Wanted } from './change.ts'
import { due } from './due.ts'
import { preview } from './preview.ts'
import { guardCount, type Many } from './targets.ts'
import { write } from './written.ts'

/** Throws the fitting `Failure`: `NotFoundError` where it is not there. */
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
    await backUp(resolve(host.cwd, options.backup), { client, change, ids: [id], concurrency: 1 })
  }
  if (wanted.serverFormat !== undefined) return untouched(client, request)

  const where = change.path.project_id === undefined ? '' : ` of project ${change.path.project_id}`
  const told = row.status === 'deleted' ? 'Deleted' : 'Accepted for'
  const done = `${told} ${row.noun[0]} ${id}${where} (${placeOf(context, connection)})`
  const compared = row.compares ? { wanted: change.body as Readonly<Record<string, unknown>> } : {}
  const result = await write(client, request, { id, done, view: row.view, ...compared }, context)
  if (values.dryRun) return result
  if (deletesEvents(change)) messages.notice(due(host))
  if (receipt !== undefined) {
    const standing = new Standing(1)
    standing.apply([row.status, 0])
    const account = accountOf(context, change, {
      job: null,
      reason: options.reason ?? null,
      startedAt,
      base: client.base,
    })
    writeReceipt(receipt, account, standing, [id], host.clock)
  }
  return result
}
