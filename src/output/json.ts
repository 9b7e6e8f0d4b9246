import { type Item, objectOf } from '../json/read-item.ts'
import { indented, oneLine } from '../json/tokens.ts'
import { escapeControlsInJson } from '../text/escape-controls.ts'
import type { PrintOptions, Renderer } from './renderer.ts'
import { createEncoder, inChunks, rowOf } from './rows.ts'

/** Rows are unchanged in a pipe, indented and escaped at a terminal. Each chunk ends with a line break. */
export const jsonRenderer: Renderer = async function* ({ rows, isOne }, options) {
  const margin = isOne ? '' : '  '
  const laid = (item: Item) => {
    const shown = chosen(item, options)
    if (!options.terminal) return oneLine(shown.latin1)
    return margin + escapeControlsInJson(indented(shown.text)).replaceAll('\n', `\n${margin}`)
  }
  const printed = options.terminal ? (text: string) => text : createEncoder()
  let before = isOne ? '' : '[\n'
  // Held back, since only the next one tells whether a comma follows.
  let last: string | undefined
  for await (const items of inChunks(rows)) {
    const texts = items.map(laid)
    if (last !== undefined) texts.unshift(last)
    last = texts.pop()
    if (texts.length > 0) yield printed(`${before}${texts.join(',\n')},\n`)
    if (texts.length > 0) before = ''
  }
  if (last === undefined) yield isOne ? '' : '[]\n'
  else yield printed(`${before}${last}\n${isOne ? '' : ']\n'}`)
}

export const ndjsonRenderer: Renderer = async function* ({ rows }, options) {
  const asBytes = createEncoder()
  for await (const items of inChunks(rows)) {
    const shown = items.map(item => chosen(item, options))
    if (options.terminal) yield escapeControlsInJson(shown.map(({ text }) => `${oneLine(text)}\n`).join(''))
    else yield asBytes(shown.map(({ latin1 }) => `${oneLine(latin1)}\n`).join(''))
  }
}

function chosen(item: Item, { fields }: PrintOptions): Item {
  if (!fields) return item
  const { at } = rowOf(item)
  return objectOf(fields.map(field => [field, at(field)]))
}
