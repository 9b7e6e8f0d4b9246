import { encode } from '../json/exact.ts'
import type { Item } from '../json/read-item.ts'
import { indented, oneLine } from '../json/tokens.ts'
import { escapeControlsInJson } from '../text/escape-controls.ts'
import type { PrintOptions } from './print-options.ts'
import type { Renderer } from './renderer.ts'
import { inChunks, valueIn } from './rows.ts'

/** Rows are unchanged in a pipe, indented and escaped at a terminal. Each chunk ends with a line break. */
export const jsonRenderer: Renderer = async function* ({ rows, isOne }, options) {
  const margin = isOne ? '' : '  '
  const laid = (item: Item) =>
    options.terminal
      ? margin + escapeControlsInJson(indented(chosen(item, options))).replaceAll('\n', `\n${margin}`)
      : chosen(item, options)
  let before = isOne ? '' : '[\n'
  // Held back, since only the next one tells whether a comma follows.
  let last: string | undefined
  for await (const items of inChunks(rows)) {
    const texts = items.map(laid)
    if (last !== undefined) texts.unshift(last)
    last = texts.pop()
    if (texts.length > 0) yield `${before}${texts.join(',\n')},\n`
    if (texts.length > 0) before = ''
  }
  if (last === undefined) yield isOne ? '' : '[]\n'
  else yield `${before}${last}\n${isOne ? '' : ']\n'}`
}

export const ndjsonRenderer: Renderer = async function* ({ rows }, options) {
  for await (const items of inChunks(rows)) {
    const lines = items.map(item => `${chosen(item, options)}\n`).join('')
    yield options.terminal ? escapeControlsInJson(lines) : lines
  }
}

function chosen(item: Item, { fields }: PrintOptions): string {
  if (!fields) return oneLine(item.text)
  const members = fields.map(field => [field, valueIn(item.value, field)] as const)
  return encode(Object.fromEntries(members.filter(([, member]) => member !== undefined)))
}
