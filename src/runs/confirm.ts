/** Shows the preview of a run, and prompts for confirmation. */
import { projects } from '../api/endpoints.ts'
import { needsPrompt, promptForConfirmation } from '../consent.ts'
import type { Connection, Context } from '../context.ts'
import { Failure, InterruptedError } from '../errors.ts'
import { lengthOf } from '../jobs/summary.ts'
import { textAt } from '../json/exact.ts'
import type { Item } from '../json/read-item.ts'
import { pathTo } from '../operations/collections.ts'
import { counted, type Operation, targetName } from '../operations/operation.ts'
import { countOf, grouped } from '../text/grouped.ts'
import { writeRate } from '../values/duration.ts'
import { describePlan, describeProgress } from './describe.ts'
import { mostShown, readPreview } from './preview.ts'
import type { Run } from './run.ts'
import { undoneBy } from './undo.ts'

/** Throws `RefusedError` if consent is needed and not given, `NotFoundError` for a single target that is not there. */
export async function confirmRun(context: Context, run: Run, isAsked: boolean): Promise<void> {
  const { values, messages } = context
  const { connection, operation, targets, isOne, backup, journal } = run
  const left = journal.countRemaining()
  const isAsking = needsPrompt(context, isAsked)
  const isShown = isAsking || values.dryRun === true
  const what = isOne ? targetName(operation, targets[0] ?? '') : counted(left, operation)
  const project = isShown ? await projectName(connection, operation) : undefined
  const doing = isShown ? describePlan(context, run, what, project) : describeProgress(run, what)
  const say = isAsking ? messages.say : messages.notice
  const isUnsaved = undoneBy[operation.command] !== undefined && !backup
  if (!isShown) {
    // The end of a run of one says what was done.
    if (!isOne) say(doing)
    else if (isUnsaved) say(keepsNothing(operation))
    return
  }
  // A single target that is not found is an error, and nothing is said before.
  const preview = values.dryRun ? undefined : await readPreview(context, run)
  say(doing)
  if (operation.remark !== undefined) say(operation.remark)
  // As far as that is known without the records.
  if (!preview) return say(`The run sends ${describeCost(run, operation.writes().length)}`)
  for (const line of preview.lines) say(line)
  if (isUnsaved) say(keepsNothing(operation))
  await promptForConfirmation(context, { ...(await promptOf(run, describeCost(run, preview.writes))), isAsked })
}

function keepsNothing({ command }: Operation): string {
  const option = command.endsWith(' undo') ? '--new-backup' : '--backup'
  return `This cannot be undone (use ${option} to keep the old values)`
}

async function promptOf(run: Run, cost: string) {
  const { connection, operation, targets, scope } = run
  const many = counted(targets.length, operation)
  if (targets.length > 1) {
    const more = targets.length - mostShown
    const what = String(targets.length)
    const doing = more > 0 ? `…and ${grouped(more)} more (${many}, ${cost})` : `${many}, ${cost}`
    return { doing, typed: { text: what, what } }
  }
  const [id = ''] = targets
  if (operation.asks !== 'name') return { doing: cost }
  const { read, noun } = operation.of
  const record = await connection.client.record(read, { path: pathTo(scope, id) })
  return { doing: `${noun[0]} ${id}`.replace(/^./, letter => letter.toUpperCase()), typed: nameToType(record, id) }
}

async function projectName({ client, project }: Connection, { of }: Operation): Promise<string | undefined> {
  if (of.scope !== 'project_id') return undefined
  try {
    return textAt((await client.record(projects.get, { path: { id: project() } })).value, 'name')
  } catch (error) {
    if (error instanceof Failure && !(error instanceof InterruptedError)) return undefined
    throw error
  }
}

export function nameToType(project: Item, id: string) {
  const name = textAt(project.value, 'name')?.trim()
  return name ? { text: name, what: 'its name' } : { text: id, what: 'its id' }
}

/** From the first write on. `writes`: requests that change one target. */
export function countRequests({ operation, backup }: Run, targets: number, writes: number): number {
  const { batch, readsFirst, wipes } = operation
  if (batch) return Math.ceil(targets / batch.most) + 1 + (backup ? targets : 0)
  return targets * (Math.max(1, writes) + (readsFirst || backup ? 1 : 0) + (wipes ? 1 : 0))
}

/** `36 requests, 9 s at 4/s`; without a known rate only the count. */
function describeCost(run: Run, writes: number): string {
  const count = countRequests(run, run.journal.countRemaining(), writes)
  const interval = run.connection.interval
  const time = interval === undefined ? '' : `, ${lengthOf(count * interval)} at ${writeRate(interval)}`
  return `${countOf(count, 'request', 'requests')}${time}`
}
