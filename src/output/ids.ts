import { RejectedError } from '../errors.ts'
import { isObject, type Json, textOf, valueAt } from '../json/exact.ts'
import { escapeControls } from '../text/escape-controls.ts'
import { idForms, isId } from '../values/ids.ts'
import type { View } from './document.ts'
import type { Renderer } from './renderer.ts'
import { inChunks } from './rows.ts'

/** Throws `RejectedError` for an item without an id, and for an id that a script could not read back unchanged. */
export const idsRenderer: Renderer = async function* ({ rows, view }) {
  for await (const items of inChunks(rows)) yield items.map(({ value }) => `${idOf(value, view)}\n`).join('')
}

function idOf(row: Json, { id: field, idsOf }: View): string {
  const id = isObject(row) ? valueAt(row, field) : row
  const isText = id !== undefined && id !== null && id !== '' && !isObject(id) && !Array.isArray(id)
  if (!isText) throw new RejectedError(`An item of the answer has no ${field}`, { hint: otherFormat })
  const text = textOf(id)
  const isForeign = idsOf !== undefined && !isId(idsOf, text)
  if (!isForeign && escapeControls(text) === text) return text
  const why = isForeign ? `is not the id of ${idForms[idsOf].of}` : 'cannot be printed on one line'
  throw new RejectedError(`The answer has the ${field} ${escapeControls(text)}, which ${why}`, { hint: otherFormat })
}

const otherFormat = 'Choose another format with -o'
