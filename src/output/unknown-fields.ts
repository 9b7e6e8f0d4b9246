import { nearestPath, pathsIn } from '../json/nearest-path.ts'
import { rowOf } from './rows.ts'
import { type Document, mapRows } from './views.ts'

export function noteUnknownFields(
  document: Document,
  fields: readonly string[],
  note: (text: string) => void,
): Document {
  const where = document.isOne ? 'The record' : 'The first page'
  let isFirst = true
  return mapRows(document, batch => {
    if (!isFirst || batch.length === 0) return batch
    isFirst = false
    const rows = batch.map(rowOf)
    for (const field of fields.filter(name => rows.every(({ at }) => !at(name)))) {
      const near = nearestPath(field, [...new Set(batch.flatMap(({ value }) => pathsIn(value)))])
      note(`${where} has no field ${field}${near === undefined ? '' : `; did you mean ${near}?`}`)
    }
    return batch
  })
}
