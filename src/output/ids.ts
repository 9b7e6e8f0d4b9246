import { RejectedError } from '../errors.ts'
import { textOf } from '../json/exact.ts'
import { type Item, isObjectItem } from '../json/read-item.ts'
import { escapeControls, escapeRunnerCommands } from '../text/escape-controls.ts'
import { idForms, isId } from '../values/ids.ts'
import type { Renderer } from './renderer.ts'
import { inChunks, rowOf } from './rows.ts'
import type { View } from './views.ts'

/** Throws `RejectedError` for an item without an id, and for an id that a script could not read back unchanged. */
export const idsRenderer: Renderer = async function* ({ rows, view }) {
  for await (const items of inChunks(rows)) yield items.map(item => `${printableId(item, view)}\n`).join('')
}

function printableId(row: Item, { id: field, idsOf }: View): string {
  const item = isObjectItem(row) ? rowOf(row).at(field) : row
  const id = item?.kind === 'string' || item?.kind === 'scalar' ? item.value : undefined
  if (id === undefined || id === null || id === '') {
    throw new RejectedError(`An item of the response has no ${field}`, { hint: otherFormat })
  }
  const text = textOf(id)
  const isForeign = idsOf !== undefined && !isId(idsOf, text)
  if (!isForeign && escapeRunnerCommands(escapeControls(text)) === text) return text
  const problem = isForeign ? `is not the id of ${idForms[idsOf].of}` : 'cannot be printed on one line'
  throw new RejectedError(`The response has the ${field} ${escapeControls(text)}, which ${problem}`, {
    hint: otherFormat,
  })
}

const otherFormat = 'Use another format with -o'
