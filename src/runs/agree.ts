/** Shows what a run will do, and asks whoever must agree. */
import { needsConsent, requestConsent, type TypedAnswer } from '../consent.ts'
import type { Context } from '../context.ts'
import type { ShowValue } from '../filters/filter.ts'
import { textAt } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import { counted, readTarget, rowOf, targetName } from '../operations/operation.ts'
import { mask } from '../output/mask.ts'
import { isSecretName } from '../secrets/secret-names.ts'
import { filtersOf } from '../targets/source.ts'
import { grouped } from '../text/grouped.ts'
import { isAskedAbout } from './checks/checks.ts'
import { describeCost } from './cost.ts'
import { describeOperation, projectName } from './place.ts'
import { drawPreview, mostShown, type PreviewedTarget, readPreview } from './preview.ts'
import { sayHowToResume } from './report.ts'
import type { RunRequest } from './request.ts'
import type { ResolvedRun } from './run.ts'

/** Throws `RefusedError` if consent is needed and not given. */
export async function agree(context: Context, request: RunRequest, run: ResolvedRun): Promise<void> {
  try {
    await agreeTo(context, request, run)
  } catch (error) {
    if (request.purpose.kind === 'resume') sayHowToResume(context, request.purpose.job)
    throw error
  }
}

async function agreeTo(context: Context, request: RunRequest, run: ResolvedRun): Promise<void> {
  const { values } = context
  const { connection, operation, targets: ids, reads } = run
  const { kind } = request.purpose
  const isAsked = isAskedAbout(request)
  const isAsking = needsConsent(context, { isAsked }) !== 'none'
  const isShown = isAsking || (values.dryRun ?? false)
  const shown = isShown ? await readPreview(context, connection, { operation, ids, isAgreed: kind === 'resume' }) : []
  for (const { id, record } of shown) if (record) reads.note(id)
  const doing = await show(context, request, run, { isAsking, isShown, shown })
  if (isAsking) await requestConsent(context, { ...(await questionOf(run, doing, costOf(run, shown))), isAsked })
}

interface Showing {
  readonly isAsking: boolean
  readonly isShown: boolean
  readonly shown: readonly PreviewedTarget[]
}

/** Returns the sentence that says what is done. */
async function show(
  context: Context,
  request: RunRequest,
  run: ResolvedRun,
  { isAsking, isShown, shown }: Showing,
): Promise<string> {
  const { messages } = context
  const { connection, operation, targets: ids, isOne } = run
  const { remark, undoneBy } = rowOf(operation)
  const { backup, backupOption } = request.records
  const what = isOne ? targetName(operation, ids.at(0) ?? '') : counted(ids.length, operation)
  const project = isShown ? await projectName(connection, operation) : undefined
  const doing = describeOperation(context, connection, operation, what, { project })
  // A question needs the targets, even with --quiet; for a single target, it names the target itself.
  const say = isAsking ? messages.say : messages.notice
  if (isAsking ? ids.length > 1 : isShown || !isOne) say(doing)
  const selected = filtersOf(request.targets, shownOn(context))
  if (isShown && selected !== undefined) say(`Selected: ${selected}`)
  if (remark !== undefined) say(remark)
  if (!isShown) return doing
  await drawPreview(context, operation, shown, say)
  const more = ids.length - mostShown
  if (!isAsking && more > 0) say(`  and ${grouped(more)} more`)
  if (undoneBy !== undefined && !backup && backupOption) {
    say(`This cannot be undone later: nothing is kept without ${backupOption} FILE`)
  }
  if (!isAsking) say(`The run sends ${costOf(run, shown)}`)
  return doing
}

function costOf(run: ResolvedRun, shown: readonly PreviewedTarget[]): string {
  return describeCost(
    run,
    run.targets.length,
    shown.map(({ writes }) => writes),
  )
}

async function questionOf({ connection, operation, targets: ids }: ResolvedRun, doing: string, cost: string) {
  const [id = ''] = ids
  const count = String(ids.length)
  const [, , to] = rowOf(operation).verb
  const more = ids.length - mostShown
  const many = counted(ids.length, operation)
  if (ids.length > 1) {
    const all =
      more > 0 ? `And ${grouped(more)} more, ${grouped(ids.length)} in all` : `These are all ${grouped(ids.length)}`
    return { doing: `${all}: ${cost}`, typed: { text: count, what: count, to: `${to} ${many}` } }
  }
  if (rowOf(operation).asks === 'name') {
    return { doing, typed: nameToType(await readTarget(connection.client, operation, id), id) }
  }
  return { doing: cost.startsWith('1 request') ? doing : `${doing}: ${cost}` }
}

/** The name of a project, or its id if it has none. */
export function nameToType(project: Item, id: string): TypedAnswer {
  const name = textAt(project.value, 'name')?.trim()
  return { ...(name ? { text: name, what: 'its name' } : { text: id, what: 'its id' }), to: 'delete it' }
}

export const shownInFull: ShowValue = (value, field) => (isSecretName(field) ? mask(value) : JSON.stringify(value))

/** Logs are kept, so values that may be personal are shown only at a terminal. */
function shownOn({ host }: Context): ShowValue {
  return (value, field) => {
    return host.stderr.isTerminal ? shownInFull(value, field) : '…'
  }
}
