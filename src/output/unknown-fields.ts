/** Finds chosen fields that no row has: a mistyped name gives an empty column and no error. */
import { compile, kindOf, members } from '../json/pick.ts'
import type { Item } from '../json/slice.ts'
import { nearest } from '../values/nearest.ts'
import type { Document } from './document.ts'

export interface Watched {
  readonly document: Document
  /** Called after the last row: a message for each missing field. */
  missing(): readonly string[]
}

/** Rows searched; a field missing in all of them is unlikely to come later. */
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
        const others = there.filter(path => path !== field)
        const near = nearestPath(field, others)
        return `${none} field ${field}${near === undefined ? '' : `; did you mean ${near}?`}`
      })
    },
  }
}

function pathsIn(item: Item): string[] {
  if (kindOf(item) !== 'object') return []
  return members(item).flatMap(([name, value]) => [
    name,
    ...(kindOf(value) === 'object' ? members(value).map(([key]) => `${name}.${key}`) : []),
  ])
}

/** Prefers the same name at another path (`email` → `properties.email`), else the closest spelling. */
function nearestPath(field: string, there: readonly string[]): string | undefined {
  const last = (path: string) => path.slice(path.lastIndexOf('.') + 1)
  const same = there.find(path => last(path) === last(field))
  const near = same ?? nearest(field, there)
  if (near !== undefined) return near
  const name = nearest(field, there.map(last))
  return name === undefined ? undefined : there.find(path => last(path) === name)
}
