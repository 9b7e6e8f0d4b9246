/** A chosen field that no row has, such as a mistyped one, would give an empty column without a word. */
import type { Json } from '../json/exact.ts'
import { nearestPath, pathsIn } from '../json/nearest-path.ts'
import type { Document } from './document.ts'
import { valueIn } from './rows.ts'

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
        const values = batch.map(({ value }) => value)
        const missing = fields.filter(field => values.every(value => valueIn(value, field) === undefined))
        for (const field of missing) tell(`${where} has no field ${field}${nearTo(field, values)}`)
        isFirst = false
      }
      yield batch
    }
  }
  return { ...document, rows: rows() }
}

function nearTo(field: string, rows: readonly Json[]): string {
  const near = nearestPath(field, [...new Set(rows.flatMap(pathsIn))])
  return near === undefined ? '' : `; did you mean ${near}?`
}
