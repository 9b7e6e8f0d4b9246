/** Says what will be done to how many targets, shows the first of them, and asks. */
import type { Connection, Context } from '../cli/command.ts'
import { asks } from '../cli/confirm.ts'
import type { ShowValue } from '../filters/filter-words.ts'
import type { Targets } from '../jobs/targets/target-list.ts'
import { isSecret, mask } from '../output/mask.ts'
import { grouped } from '../text/grouped.ts'
import { ask, asksAbout } from './guards/consent.ts'
import { counted, type Operation, rowOf, targetName } from './operation.ts'
import { mostShown, preview } from './preview.ts'
import { describeOperation, projectName } from './scope.ts'
import type { Selection } from './targets/selection.ts'

interface Previewed extends Pick<Selection, 'isOne' | 'selectedBy'> {
  readonly connection: Connection
  readonly operation: Operation
  readonly ids: Targets
  /** A plan is shown, and asks nothing. */
  readonly planning?: boolean
  /** A job that was agreed to before: a target that cannot be read stops nothing. */
  readonly isAgreed?: boolean
}

/** Shows what will change, and asks where consent is needed. Throws `RefusedError` where it is not given. */
export async function previewAndAsk(
  context: Context,
  { connection, operation, ids, isOne = false, selectedBy, planning = false, isAgreed = false }: Previewed,
): Promise<void> {
  const { values, messages } = context
  const asking = !planning && asks(context) && asksAbout(context, operation, { isOne })
  const { remark } = rowOf(operation)
  const what = isOne ? targetName(operation, ids.at(0) ?? '') : counted(ids.length, operation)
  if (!asking && !values.dryRun && !planning) {
    if (!isOne) messages.notice(describeOperation(context, connection, operation, what))
    if (remark !== undefined) messages.notice(remark)
    return
  }
  const project = await projectName(connection, operation)
  const doing = describeOperation(context, connection, operation, what, { project })
  // Whoever answers must see the targets, even with --quiet; the question itself names a single target.
  if (!asking) messages.notice(doing)
  else if (ids.length > 1) messages.say(doing)
  if (selectedBy) messages[asking ? 'say' : 'notice'](`Selected: ${selectedBy(shownOn(context))}`)
  if (remark !== undefined) messages.notice(remark)
  await preview(context, connection, { operation, ids, isAgreed })
  if (asking) await ask(context, connection, operation, ids, doing)
  else if (ids.length > mostShown) messages.say(`  and ${grouped(ids.length - mostShown)} more`)
}

/** A log is kept, so a value that may be personal stands at a terminal only. */
function shownOn({ host }: Context): ShowValue {
  return (value, field) => {
    if (!host.stderr.isTerminal) return '…'
    return isSecret(field) ? mask(value) : JSON.stringify(value)
  }
}
