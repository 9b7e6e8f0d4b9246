/** Finds chosen fields that no row has: a mistyped name would give an empty column without an error. */

import { type Json, valueAt } from '../json/exact.ts'
import { nearestPath, pathsIn } from '../json/nearest-path.ts'
import type { Document } from './document.ts'

interface Watched {
  readonly document: Document
  /** Call it after the last row; returns a message for each missing field. */
  missing(): readonly string[]
}

/** Rows searched; later rows are unlikely to have a field that is missing in all of them. */
const most = 1000

export function watchFields(document: Document, fields: readonly string[]): Watched {
  let wanted = fields
  let first: Json | undefined
  let rows = 0
  const look = (row: Json) => {
    first ??= row
    rows++
    wanted = wanted.filter(field => valueAt(row, field) === undefined)
  }
  async function* watched() {
    for await (const batch of document.batches) {
      for (const item of batch) {
        if (rows >= most || wanted.length === 0) break
        look(item.value)
      }
      yield batch
    }
  }
  return {
    document: { ...document, batches: watched() },
    missing() {
      if (first === undefined) return []
      const inRows = rows < most ? 'No row has' : `None of the first ${most} rows has`
      const none = document.shape === 'list' ? `${inRows} a` : 'There is no'
      const there = [...pathsIn(first), ...document.view.fields]
      return wanted.map(field => {
        const [name = ''] = field.split('.')
        if (document.view.leftOut.includes(name)) return `A list leaves out ${field}; get shows it`
        const others = there.filter(path => path !== field)
        const near = nearestPath(field, others)
        return `${none} field ${field}${near === undefined ? '' : `; did you mean ${near}?`}`
      })
    },
  }
}
