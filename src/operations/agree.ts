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
import { mostShown, preview } from './preview.ts'
import type { Reads } from './run/reads.ts'
import { describeOperation, projectName } from './scope.ts'
import type { Selection } from './targets/selection.ts'

interface Agreeing extends Pick<Selection, 'isOne' | 'selectedBy'> {
  readonly connection: Connection
  readonly operation: Operation
  readonly ids: Targets
  /** False: only the safety level `confirm` asks. */
  readonly isAsked: boolean
  /** A plan is written, which changes nothing. */
  readonly planning?: boolean
  /** The job was confirmed before: an unreadable target does not stop it. */
  readonly isAgreed?: boolean
  readonly reads?: Reads
}

/** Throws `RefusedError` if consent is needed and not given. */
export async function agree(context: Context, run: Agreeing): Promise<void> {
  const { connection, operation, ids, isOne = false, selectedBy, planning = false, isAgreed = false, reads } = run
  const { values, messages } = context
  const isAsking = !planning && needsConsent(context, run) !== 'none'
  const isShown = isAsking || planning || values.dryRun
  const { remark } = rowOf(operation)
  const what = isOne ? targetName(operation, ids.at(0) ?? '') : counted(ids.length, operation)
  const project = isShown ? await projectName(connection, operation) : undefined
  const doing = describeOperation(context, connection, operation, what, { project })
  // A question needs the targets, even with --quiet; for a single target, it names the target itself.
  const say = isAsking ? messages.say : messages.notice
  if (isAsking ? ids.length > 1 : isShown || !isOne) say(doing)
  if (isShown && selectedBy) say(`Selected: ${selectedBy(shownOn(context))}`)
  if (remark !== undefined) messages.notice(remark)
  if (!isShown) return
  await preview(context, connection, { operation, ids, isAgreed, onRead: reads?.note })
  const more = ids.length - mostShown
  if (!isAsking && more > 0) messages.say(`  and ${grouped(more)} more`)
  const typed = isAsking ? await answerTo(connection, operation, ids) : undefined
  const all =
    more > 0 ? `And ${grouped(more)} more, ${grouped(ids.length)} in all` : `These are all ${grouped(ids.length)}`
  if (isAsking) await requestConsent(context, { doing: ids.length > 1 ? all : doing, isAsked: run.isAsked, typed })
}

/** Undefined if the question is y/N. */
async function answerTo(connection: Connection, operation: Operation, ids: Targets): Promise<TypedAnswer | undefined> {
  const [id = ''] = ids
  const count = String(ids.length)
  const [, , to] = rowOf(operation).verb
  if (ids.length > 1) return { text: count, what: count, to: `${to} ${counted(ids.length, operation)}` }
  if (rowOf(operation).asks !== 'name') return undefined
  return nameToType(await readTarget(connection.client, operation, id), id)
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
