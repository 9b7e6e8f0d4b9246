import { isObject, type Json, valueAt } from '../json/exact.ts'
import type { Item } from '../json/read-item.ts'
import type { Document } from './document.ts'

/** Few enough for cli-table3, whose time grows with the square of the rows, and not to fill the memory with text. */
const most = 100

/** Never empty. */
export async function* inChunks(rows: Document['rows']): AsyncGenerator<readonly Item[]> {
  for await (const batch of rows) {
    for (let from = 0; from < batch.length; from += most) yield batch.slice(from, from + most)
  }
}

/** Column of rows that are no objects. */
const whole = 'value'

export function columnsOf(rows: readonly Json[], known: readonly string[] = []): string[] {
  const names = new Set(known)
  for (const row of rows) for (const name of isObject(row) ? Object.keys(row) : [whole]) names.add(name)
  return [...names]
}

export function valueIn(row: Json, name: string): Json | undefined {
  return isObject(row) || name !== whole ? valueAt(row, name) : row
}
