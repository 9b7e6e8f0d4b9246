/** Shows what a run will do, and asks whoever must agree. */
import { needsConsent, requestConsent, type TypedAnswer } from '../consent.ts'
import type { Context } from '../context.ts'
import type { ShowValue } from '../filters/filter-words.ts'
import type { Item } from '../json/item.ts'
import { stringIn, valueAt } from '../json/pick.ts'
import { counted, readTarget, rowOf, targetName } from '../operations/operation.ts'
import { mask } from '../output/mask.ts'
import { isSecretName } from '../secrets/secret-names.ts'
import { grouped } from '../text/grouped.ts'
import { describeCost } from './cost.ts'
import { describeOperation, projectName } from './place.ts'
import { drawPreview, mostShown, readPreview } from './preview.ts'
import type { BackupOption, Purpose } from './request.ts'
import type { ResolvedRun } from './run.ts'

type Run = Pick<ResolvedRun, 'connection' | 'operation' | 'targets' | 'isOne' | 'backup' | 'reads' | 'seen'>

interface Agreeing {
  /** False: only the safety level `confirm` asks. */
  readonly isAsked: boolean
  /** The filters that selected the targets. */
  readonly selected: string | undefined
  readonly backupOption: BackupOption | undefined
  readonly purpose: Purpose['kind']
}

/** Returns false if nothing would change. Throws `RefusedError` if consent is needed and not given. */
export async function agree(context: Context, run: Run, agreeing: Agreeing): Promise<boolean> {
  const { connection, operation, targets: ids, isOne, seen, reads } = run
  const { isAsked, selected, backupOption, purpose } = agreeing
  const { host, values, messages } = context
  const isAsking = purpose !== 'plan' && needsConsent(context, agreeing) !== 'none'
  const isShown = isAsking || purpose === 'plan' || values.dryRun
  const shown = isShown
    ? await readPreview(context, connection, { operation, ids, isAgreed: purpose === 'resume' })
    : []
  // A dry run shows what the run sends, which reads no targets where it does not ask.
  const isReadAnyway = isAsking || (isAsked && !values.yes) || seen.areUnchanged(ids)
  for (const { id, record } of shown) {
    if (!record) continue
    reads.note(id)
    seen.see(record, { id, now: host.clock.now() })
  }
  if ((purpose === 'run' || purpose === 'planned') && isReadAnyway && seen.areUnchanged(ids)) return false
  const what = isOne ? targetName(operation, ids.at(0) ?? '') : counted(ids.length, operation)
  const project = isShown ? await projectName(connection, operation) : undefined
  const doing = describeOperation(context, connection, operation, what, { project })
  // A question needs the targets, even with --quiet; for a single target, it names the target itself.
  const say = isAsking ? messages.say : messages.notice
  const headline = values.dryRun ? messages.say : say
  if (isAsking ? ids.length > 1 : isShown || !isOne) headline(doing)
  if (isShown && selected !== undefined) say(`Selected: ${selected}`)
  const { remark } = rowOf(operation)
  if (remark !== undefined) say(remark)
  for (const error of seen.typingErrors()) (isAsking ? messages.fault : messages.warn)(error)
  if (!isShown) return true
  await drawPreview(context, operation, shown, say)
  const more = ids.length - mostShown
  if (!isAsking && more > 0) say(`  and ${grouped(more)} more`)
  if (rowOf(operation).undoneBy !== undefined && !run.backup && purpose !== 'plan' && backupOption) {
    say(`This cannot be undone later: nothing is kept without ${backupOption} FILE`)
  }
  const writes = shown.map(one => one.writes)
  const cost = describeCost(run, ids.length, writes)
  if (!isAsking) say(`The run sends ${cost}`)
  else await requestConsent(context, { ...(await questionOf(run, doing, cost)), isAsked })
  return true
}

async function questionOf({ connection, operation, targets: ids }: Run, doing: string, cost: string) {
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
  const name = stringIn(valueAt(project, 'name'))?.trim()
  return { ...(name ? { text: name, what: 'its name' } : { text: id, what: 'its id' }), to: 'delete it' }
}

export const shownInFull: ShowValue = (value, field) => (isSecretName(field) ? mask(value) : JSON.stringify(value))

/** Logs are kept, so values that may be personal are shown only at a terminal. */
export function shownOn({ host }: Context): ShowValue {
  return (value, field) => {
    return host.stderr.isTerminal ? shownInFull(value, field) : '…'
  }
}
