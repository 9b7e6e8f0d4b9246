import { asks } from '../confirm.ts'
import type { Connection, Context } from '../context.ts'
import type { ShowValue } from '../filters/filter-words.ts'
import type { Targets } from '../jobs/targets/target-list.ts'
import { isSecret, mask } from '../output/mask.ts'
import { grouped } from '../text/grouped.ts'
import { ask, asksAbout } from './guards/consent.ts'
import { counted, type Operation, rowOf, targetName } from './operation.ts'
import { mostShown, preview } from './preview.ts'
import type { Reads } from './run/reads.ts'
import { describeOperation, projectName } from './scope.ts'
import type { Selection } from './targets/selection.ts'

interface Previewed extends Pick<Selection, 'isOne' | 'selectedBy'> {
  readonly connection: Connection
  readonly operation: Operation
  readonly ids: Targets
  readonly planning?: boolean
  /** The job was confirmed before: an unreadable target does not stop it. */
  readonly isAgreed?: boolean
  readonly reads?: Reads
}

/** Asks only if consent is needed. Throws `RefusedError` if it is not given. */
export async function previewAndAsk(
  context: Context,
  { connection, operation, ids, isOne = false, selectedBy, planning = false, isAgreed = false, reads }: Previewed,
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
  // A question needs the targets, even with --quiet; for a single target, it names the target itself.
  if (!asking) messages.notice(doing)
  else if (ids.length > 1) messages.say(doing)
  if (selectedBy) messages[asking ? 'say' : 'notice'](`Selected: ${selectedBy(shownOn(context))}`)
  if (remark !== undefined) messages.notice(remark)
  await preview(context, connection, { operation, ids, isAgreed, onRead: reads?.note })
  if (asking) await ask(context, connection, operation, ids, doing)
  else if (ids.length > mostShown) messages.say(`  and ${grouped(ids.length - mostShown)} more`)
}

export const shownInFull: ShowValue = (value, field) => (isSecret(field) ? mask(value) : JSON.stringify(value))

/** Logs are kept, so values that may be personal are shown only at a terminal. */
function shownOn({ host }: Context): ShowValue {
  return (value, field) => {
    return host.stderr.isTerminal ? shownInFull(value, field) : '…'
  }
}
