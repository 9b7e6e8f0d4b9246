/** A chosen field that no row has, such as a mistyped one, would give an empty column without a word. */
import { nearestPath, pathsIn } from '../json/nearest-path.ts'
import type { Item } from '../json/read-item.ts'
import type { Document } from './document.ts'
import { rowOf } from './rows.ts'

export function tellUnknownFields(
  document: Document,
  fields: readonly string[],
  tell: (text: string) => void,
): Document {
  const where = document.isOne ? 'The record' : 'The first page'
  async function* rows() {
    let isFirst = true
    for await (const batch of document.rows) {
      if (isFirst && batch.length > 0) {
        const parts = batch.map(rowOf)
        const missing = fields.filter(field => parts.every(({ at }) => !at(field)))
        for (const field of missing) tell(`${where} has no field ${field}${nearTo(field, batch)}`)
        isFirst = false
      }
      yield batch
    }
  }
  return { ...document, rows: rows() }
}

function nearTo(field: string, rows: readonly Item[]): string {
  const near = nearestPath(field, [...new Set(rows.flatMap(({ value }) => pathsIn(value)))])
  return near === undefined ? '' : `; did you mean ${near}?`
}
