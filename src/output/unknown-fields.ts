/** A chosen field that no row has, such as a mistyped one, would give an empty column without a word. */
import { type Json, valueAt } from '../json/exact.ts'
import { nearestPath, pathsIn } from '../json/nearest-path.ts'
import type { Document } from './document.ts'

export function tellUnknownFields(
  document: Document,
  fields: readonly string[],
  tell: (text: string) => void,
): Document {
  async function* rows() {
    let isFirst = true
    for await (const batch of document.rows) {
      if (isFirst)
        for (const field of fields)
          tellIfUnknown(
            batch.map(({ value }) => value),
            field,
            tell,
          )
      isFirst &&= batch.length === 0
      yield batch
    }
  }
  return { ...document, rows: rows() }
}

function tellIfUnknown(rows: readonly Json[], field: string, tell: (text: string) => void): void {
  if (rows.some(row => valueAt(row, field) !== undefined)) return
  const near = nearestPath(field, [...new Set(rows.flatMap(pathsIn))])
  if (rows.length > 0) tell(`No row has a field ${field}${near === undefined ? '' : `; did you mean ${near}?`}`)
}
