/** Shows a target before it is changed: to whoever is asked, and in a dry run. */
import type { Connection, Context } from '../cli/command.ts'
import { compile, textOf } from '../json/pick.ts'
import { isMissing } from './is-missing.ts'
import { type Operation, readTarget, rowOf } from './operation.ts'

/** Fetches the object and says its main fields on stderr; one that is not there is said to be so. */
export async function preview(
  { messages }: Context,
  { client }: Connection,
  operation: Operation,
  id: string,
): Promise<void> {
  const { columns } = rowOf(operation).view
  try {
    const item = await readTarget(client, operation, id)
    const found = compile(columns).pick(item)
    const shown = columns.flatMap((name, i) => (found[i] ? [`${name} ${textOf(found[i])}`] : []))
    messages.say(`  ${shown.join(', ')}`)
  } catch (error) {
    if (!isMissing(error)) throw error
    messages.say(`  ${id}: not found`)
  }
}
