/** Finds chosen fields that no row has: a mistyped name would give an empty column without an error. */

import type { Item } from '../json/item.ts'
import { nearestPath, pathsIn } from '../json/nearest-path.ts'
import { compile } from '../json/pick.ts'
import type { Document } from './document.ts'

interface Watched {
  readonly document: Document
  /** Call it after the last row; returns a message for each missing field. */
  missing(): readonly string[]
}

/** Rows searched; later rows are unlikely to have a field that is missing in all of them. */
const most = 1000

export function watchFields(document: Document, fields: readonly string[]): Watched {
  let wanted = { fields, pick: compile(fields).pick }
  let first: Item | undefined
  let rows = 0
  const look = (item: Item) => {
    first ??= item
    rows++
    const values = wanted.pick(item)
    const absent = wanted.fields.filter((_, i) => values[i] === undefined)
    if (absent.length < wanted.fields.length) wanted = { fields: absent, pick: compile(absent).pick }
  }
  async function* watched() {
    for await (const batch of document.batches) {
      for (const item of batch) {
        if (rows >= most || wanted.fields.length === 0) break
        look(item)
      }
      yield batch
    }
  }
  return {
    document: { ...document, batches: watched() },
    missing() {
      if (!first) return []
      const inRows = rows < most ? 'No row has' : `None of the first ${most} rows has`
      const none = document.shape === 'list' ? `${inRows} a` : 'There is no'
      const there = [...pathsIn(first), ...document.view.fields]
      return wanted.fields.map(field => {
        const [name = ''] = field.split('.')
        if (document.view.leftOut.includes(name)) return `A list leaves out ${field}; get shows it`
        const others = there.filter(path => path !== field)
        const near = nearestPath(field, others)
        return `${none} field ${field}${near === undefined ? '' : `; did you mean ${near}?`}`
      })
    },
  }
}
