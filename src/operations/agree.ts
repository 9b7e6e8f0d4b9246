/** Shows what a run will do, and asks whoever must agree. */
import { needsConsent, requestConsent, type TypedAnswer } from '../consent.ts'
import type { Connection, Context } from '../context.ts'
import type { ShowValue } from '../filters/filter-words.ts'
import type { Targets } from '../jobs/targets/target-list.ts'
import type { Item } from '../json/item.ts'
import { stringIn, valueAt } from '../json/pick.ts'
import { mask } from '../output/mask.ts'
import { isSecretName } from '../secrets/secret-names.ts'
import { grouped } from '../text/grouped.ts'
import { counted, type Operation, readTarget, rowOf, targetName } from './operation.ts'
import { drawPreview, mostShown, readPreview } from './preview.ts'
import type { Reads } from './run/reads.ts'
import { describeCost } from './run-cost.ts'
import type { BackupOption, Purpose } from './run-request.ts'
import { describeOperation, projectName } from './scope.ts'
import type { SeenRecords } from './seen-records.ts'
import type { Selection } from './targets/selection.ts'

interface Agreeing extends Pick<Selection, 'isOne' | 'selectedBy'> {
  readonly connection: Connection
  readonly operation: Operation
  readonly ids: Targets
  readonly seen: SeenRecords
  readonly reads: Reads
  readonly hasBackup: boolean
  readonly backupOption: BackupOption | undefined
  readonly purpose: Purpose['kind'] | 'resume'
  /** False: only the safety level `confirm` asks. */
  readonly isAsked: boolean
}

/** Returns false if nothing would change. Throws `RefusedError` if consent is needed and not given. */
export async function agree(context: Context, run: Agreeing): Promise<boolean> {
  const { connection, operation, ids, isOne = false, selectedBy, seen, reads, purpose } = run
  const { host, values, messages } = context
  const isAsking = purpose !== 'plan' && needsConsent(context, run) !== 'none'
  const isShown = isAsking || purpose === 'plan' || values.dryRun
  const shown = isShown
    ? await readPreview(context, connection, { operation, ids, isAgreed: purpose === 'resume' })
    : []
  // A dry run shows what the run sends, which reads no targets where it does not ask.
  const isReadAnyway = isAsking || (run.isAsked && !values.yes) || seen.areUnchanged(ids)
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
  if (isShown && selectedBy) say(`Selected: ${selectedBy(shownOn(context))}`)
  const { remark } = rowOf(operation)
  if (remark !== undefined) say(remark)
  for (const slip of seen.slips()) (isAsking ? messages.fault : messages.warn)(slip)
  if (!isShown) return true
  await drawPreview(context, operation, shown, say)
  const more = ids.length - mostShown
  if (!isAsking && more > 0) say(`  and ${grouped(more)} more`)
  sayUnkept(run, say)
  const writes = shown.map(one => one.writes)
  const cost = describeCost(run, ids.length, writes)
  if (!isAsking) say(`The run sends ${cost}`)
  else await requestConsent(context, { ...(await questionOf(run, doing, cost)), isAsked: run.isAsked })
  return true
}

/** An update that could be undone, of which nothing will be kept. */
function sayUnkept({ operation, purpose, hasBackup, backupOption }: Agreeing, say: (line: string) => void): void {
  if (rowOf(operation).undoneBy === undefined || hasBackup || purpose === 'plan') return
  if (backupOption) say(`This cannot be undone later: nothing is kept without ${backupOption} FILE`)
}

async function questionOf({ connection, operation, ids }: Agreeing, doing: string, cost: string) {
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
function shownOn({ host }: Context): ShowValue {
  return (value, field) => {
    return host.stderr.isTerminal ? shownInFull(value, field) : '…'
  }
}
