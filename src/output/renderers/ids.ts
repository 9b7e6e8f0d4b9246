import { RejectedError } from '../../errors.ts'
import { isObject, type Json, textOf, valueAt } from '../../json/exact.ts'
import { escapeControls } from '../../text/escape-controls.ts'
import { holdsRunnerCommand } from '../../text/runner-commands.ts'
import { type Collection, idForms, isId } from '../../values/ids.ts'
import type { Renderer } from '../document.ts'
import { peopleIn } from '../people.ts'
import { rows } from '../rows.ts'

/** Throws `RejectedError` for an item without an id, and for an id that a script could not read back unchanged. */
export const idsRenderer: Renderer = async function* (document, { ci }) {
  const { id: field, idsOf } = document.view
  let row = 0
  for await (const batch of rows(document)) {
    const lines: string[] = []
    for (const item of batch) {
      const people = document.view.table === 'people' ? peopleIn(item) : undefined
      for (const { value } of people ?? [item]) {
        lines.push(idOf(isObject(value) ? valueAt(value, field) : value, field, ++row, { ci, idsOf }))
      }
    }
    yield `${lines.join('\n')}\n`
  }
}

interface Form {
  readonly ci: boolean | undefined
  readonly idsOf: Collection | undefined
}

function isSingle(id: Json | undefined): id is Exclude<Json, null> {
  return id !== undefined && id !== null && !isObject(id) && !Array.isArray(id)
}

function idOf(id: Json | undefined, field: string, row: number, { ci = false, idsOf }: Form): string {
  const text = isSingle(id) ? textOf(id) : ''
  const isForeign = idsOf !== undefined && !isId(idsOf, text)
  if (text !== '' && !isForeign && escapeControls(text) === text && !(ci && holdsRunnerCommand(text))) return text
  const why = isForeign ? `is not the id of ${idForms[idsOf].of}` : 'cannot be printed on one line'
  const fault = text === '' ? `no ${field}` : `the ${field} ${escapeControls(text)}, which ${why}`
  throw new RejectedError(`Item ${row} of the answer has ${fault}`, { hint: 'Choose another format with -o' })
}
