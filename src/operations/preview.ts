/** Shows targets before they are changed: in a question and in a dry run. */
import type { Connection, Context } from '../cli/command.ts'
import type { Targets } from '../jobs/target-list.ts'
import { encode } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import { compile, kindOf, textOf } from '../json/pick.ts'
import { cut } from '../output/drawing/text.ts'
import { isSecret, mask } from '../output/mask.ts'
import { escapeControls } from '../values/escape-controls.ts'
import { isMissing } from './is-missing.ts'
import { fieldChanges, type Operation, operationOn, readTarget, rowOf } from './operation.ts'
import { isLeftAlone } from './put-back.ts'

const mostShown = 3

/** One line for each of the first targets: its name and, where a value is set, the old and the new one. */
export async function preview(
  { host, messages }: Context,
  { client }: Connection,
  operation: Operation,
  ids: Targets,
): Promise<void> {
  const { columns = Number.POSITIVE_INFINITY } = host.stderr
  for (const id of firstOf(ids, mostShown)) {
    try {
      const item = await readTarget(client, operation, id)
      const own = operationOn(operation, item, { id, now: host.clock.now() })
      messages.say(cut(escapeControls(`  ${describe(own, item)}`), columns - 1))
    } catch (error) {
      if (isLeftAlone(error)) messages.say(cut(escapeControls(`  ${id}: ${error.message}`), columns - 1))
      else if (isMissing(error)) messages.say(`  ${id}: not found`)
      else throw error
    }
  }
}

function firstOf(ids: Targets, most: number): string[] {
  return Array.from({ length: Math.min(most, ids.length) }, (_, target) => ids.at(target) ?? '')
}

function describe(operation: Operation, item: Item): string {
  const names = namesOf(operation, item)
  const changes = [...(fieldChanges(operation) ?? [])].map(({ path, value }) => {
    const [old] = compile([path]).pick(item)
    const [from, to] = [old ? textIn(old) : 'none', value === undefined ? 'none' : encode(value)]
    const shown = isSecret(path) ? [from, to].map(mask) : [from, to]
    return `${path.replace(/^properties\./, '')} ${shown.join(' → ')}`
  })
  return changes.length === 0 ? names : `${names}: ${changes.join(', ')}`
}

function namesOf(operation: Operation, item: Item): string {
  const columns = rowOf(operation).view.columns
  const found = compile(columns).pick(item)
  // Values that change need the room more than names.
  const shown = fieldChanges(operation) ? columns.slice(0, 2) : columns
  return shown.flatMap((name, i) => (found[i] ? [`${name} ${textOf(found[i])}`] : [])).join(', ')
}

function textIn(item: Item): string {
  return kindOf(item) === 'string' ? JSON.stringify(textOf(item)) : item.toString()
}
