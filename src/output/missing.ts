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

/** Rows pass untouched. Only fields that have not come yet are looked for, so that most rows cost nothing. */
export function watchFields(document: Document, fields: readonly string[]): Watched {
  let wanted = fields
  let first: Item | undefined
  async function* watched() {
    for await (const batch of document.batches) {
      first ??= batch[0]
      for (let i = 0; i < batch.length && wanted.length > 0; i++) wanted = absentFrom(batch[i], wanted)
      yield batch
    }
  }
  return {
    document: { ...document, batches: watched() },
    missing: () => (first ? wanted.flatMap(field => sentence(field, first, document.view.fields)) : []),
  }
}

function absentFrom(item: Item | undefined, fields: readonly string[]): readonly string[] {
  if (!item) return fields
  const values = compile(fields).pick(item)
  return fields.filter((_, i) => values[i] === undefined)
}

function sentence(field: string, first: Item | undefined, known: readonly string[]): readonly string[] {
  // A documented field may well be left out by a service.
  if (!first || known.includes(field)) return []
  const near = nearestPath(field, first, known)
  return near === undefined ? [] : [`No row has a field ${field}; did you mean ${near}?`]
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
