import type { Item } from '../json/item.ts'
import { compile, elements, kindOf, members } from '../json/pick.ts'
import type { Document } from './document.ts'

/** Batches are never empty. A bare array is treated as a list. */
export async function* rows({ shape, batches }: Document): AsyncGenerator<readonly Item[]> {
  for await (const batch of batches) {
    const items =
      shape === 'object' ? batch.flatMap(item => (kindOf(item) === 'array' ? elements(item) : [item])) : batch
    if (items.length > 0) yield items
  }
}

export interface Columns {
  readonly names: readonly string[]
  pick(item: Item): (Item | undefined)[]
}

export function columnsNamed(names: readonly string[], onOther?: (name: string) => void): Columns {
  return { names, pick: compile(names, onOther).pick }
}

/** Known names, then other keys; values that are not objects fill `value`. `onOther` gets late keys. */
export function columnsOf(items: readonly Item[], known: readonly string[], onOther?: (name: string) => void): Columns {
  const names = new Set(known)
  let whole = false
  for (const item of items) {
    if (kindOf(item) === 'object') for (const [name] of members(item)) names.add(name)
    else whole = true
  }
  return whole ? withWhole([...names].filter(name => name !== 'value')) : columnsNamed([...names], onOther)
}

function withWhole(names: readonly string[]): Columns {
  const { pick } = compile([...names, 'value'])
  return {
    names: [...names, 'value'],
    pick: item => (kindOf(item) === 'object' ? pick(item) : [...names.map(() => undefined), item]),
  }
}
