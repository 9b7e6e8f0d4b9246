/** Which of the chosen fields came in no row: a name that was mistyped gives an empty column, and no error. */
import { compile, kindOf, members } from '../json/pick.ts'
import type { Item } from '../json/slice.ts'
import { nearest } from '../values/nearest.ts'
import type { Document } from './document.ts'

export interface Watched {
  readonly document: Document
  /** Called when the document has been read: what to say of each field that came in no row and looks like one that did. */
  missing(): readonly string[]
}

/** As many rows are looked at. What did not come in them will hardly come later, and the rest costs nothing. */
const most = 1000

/** Rows pass untouched. */
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
      const which = rows < most ? 'No row' : `None of the first ${most} rows`
      return wanted.fields.flatMap(field => {
        // A service may well leave out what is documented.
        const near =
          first && !document.view.fields.includes(field) ? nearestPath(field, first, document.view.fields) : undefined
        return near === undefined ? [] : [`${which} has a field ${field}; did you mean ${near}?`]
      })
    },
  }
}

/** The nearest name under the part of the path that is there: `properties.emial` → `properties.email`. */
function nearestPath(field: string, item: Item, known: readonly string[]): string | undefined {
  const dot = field.lastIndexOf('.')
  const parent = dot < 0 ? item : compile([field.slice(0, dot)]).pick(item)[0]
  if (!parent || kindOf(parent) !== 'object') return undefined
  const names = members(parent).map(([name]) => name)
  const near = nearest(field.slice(dot + 1), dot < 0 ? [...names, ...known] : names)
  return near === undefined ? undefined : field.slice(0, dot + 1) + near
}
