import { encode, type Json, valueAt } from '../../json/exact.ts'
import type { Item } from '../../json/item.ts'
import { oneLine } from '../../json/layout.ts'

/** Each item becomes one line with the chosen fields, named as typed; missing fields are left out. */
export function chosen(fields: readonly string[] | undefined): (item: Item) => string {
  return fields ? ({ value }) => encode(chosenOf(value, fields)) : ({ text }) => oneLine(text)
}

function chosenOf(value: Json, fields: readonly string[]): Json {
  const members = fields.flatMap(field => {
    const member = valueAt(value, field)
    return member === undefined ? [] : [[field, member] as const]
  })
  return Object.fromEntries(members)
}
