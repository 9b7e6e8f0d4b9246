import { isObject, type Json, valueAt } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import { elementsOf } from '../json/read-item.ts'
import type { Document } from './document.ts'

/** Batches are never empty. A bare array is treated as a list. */
export async function* rows({ shape, batches }: Document): AsyncGenerator<readonly Item[]> {
  for await (const batch of batches) {
    const items =
      shape === 'object' ? batch.flatMap(item => (Array.isArray(item.value) ? elementsOf(item) : [item])) : batch
    if (items.length > 0) yield items
  }
}

export interface Columns {
  readonly names: readonly string[]
  pick(row: Json): (Json | undefined)[]
}

export function columnsNamed(names: readonly string[], onOther?: (name: string) => void): Columns {
  const known = new Set(names)
  return {
    names,
    pick(row) {
      if (onOther && isObject(row)) for (const name of Object.keys(row)) if (!known.has(name)) onOther(name)
      return names.map(name => valueAt(row, name))
    },
  }
}

/** Known names, then other keys; values that are not objects fill `value`. `onOther` gets late keys. */
export function columnsOf(items: readonly Item[], known: readonly string[], onOther?: (name: string) => void): Columns {
  const names = new Set(known)
  let whole = false
  for (const { value } of items) {
    if (isObject(value)) for (const name of Object.keys(value)) names.add(name)
    else whole = true
  }
  return whole ? withWhole([...names].filter(name => name !== 'value')) : columnsNamed([...names], onOther)
}

function withWhole(names: readonly string[]): Columns {
  return {
    names: [...names, 'value'],
    pick: row =>
      isObject(row) ? [...names, 'value'].map(name => valueAt(row, name)) : [...names.map(() => undefined), row],
  }
}
