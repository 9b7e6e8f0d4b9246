import { itemNamed, partAt } from '../json/exact.ts'
import { type Item, isObjectItem, sliceArray, sliceObject } from '../json/read-item.ts'
import { escapeControls } from '../text/escape-controls.ts'
import { countOf } from '../text/grouped.ts'
import type { PrintOptions } from './renderer.ts'
import type { Document } from './views.ts'

/** Limits the memory for text. */
const chunkLength = 100

/** Yields no empty chunk. */
export async function* inChunks(rows: Document['rows']): AsyncGenerator<readonly Item[]> {
  for await (const batch of rows) {
    for (let from = 0; from < batch.length; from += chunkLength) yield batch.slice(from, from + chunkLength)
  }
}

/** Returned bytes are valid until the next call: one buffer saves memory, since many would wait for a garbage collection. */
export function createEncoder(): (latin1: string) => Uint8Array {
  let buffer = Buffer.alloc(0)
  return latin1 => {
    if (buffer.length < latin1.length) buffer = Buffer.allocUnsafeSlow(latin1.length * 2)
    return buffer.subarray(0, buffer.write(latin1, 'latin1'))
  }
}

/** For rows that are not objects. */
const valueColumn = 'value'

export interface Row {
  readonly names: readonly string[]
  at(path: string): Item | undefined
}

/** The values are decoded only when they are read. */
export function rowOf(item: Item): Row {
  if (!isObjectItem(item)) {
    return {
      names: [valueColumn],
      at: path => (path === valueColumn ? item : partAt(path, slicesByName(item), slicesByName)),
    }
  }
  const members = sliceObject(item)
  const member = (name: string) => members.get(name)
  return { names: [...members.keys()], at: path => partAt(path, member, slicesByName) }
}

function slicesByName(item: Item): (name: string) => Item | undefined {
  if (item.kind === 'list') {
    const list = sliceArray(item)
    return name => itemNamed(list, name)
  }
  const members = sliceObject(item)
  return name => members.get(name)
}

export function columnsOf(rows: readonly Row[], known: readonly string[] = []): readonly string[] {
  return [...new Set([...known, ...rows.flatMap(({ names }) => names)])]
}

export const maxNamed = 20

export function noteLeftOut(names: readonly string[], { note }: PrintOptions): void {
  if (names.length === 0) return
  const shown = names.slice(0, maxNamed)
  const count = `${names.length > maxNamed ? 'More than ' : ''}${countOf(shown.length, 'column')}`
  note(`${count} left out: ${shown.map(escapeControls).join(', ')} (choose with --fields)`)
}
