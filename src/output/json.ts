import { type Item, objectOf } from '../json/read-item.ts'
import { indented, oneLine } from '../json/tokens.ts'
import { escapeControlsInJson } from '../text/escape-controls.ts'
import type { PrintOptions, Renderer } from './renderer.ts'
import { createEncoder, inChunks, rowOf } from './rows.ts'

/** Rows are unchanged in a pipe, indented and escaped at a terminal. Each chunk ends with a line break. */
export const jsonRenderer: Renderer = async function* ({ rows, isOne }, options) {
  const indent = isOne ? '' : '  '
  const layOut = (item: Item) => {
    const shown = chooseFields(item, options)
    if (!options.isTerminal) return oneLine(shown.latin1)
    return indent + escapeControlsInJson(indented(shown.text)).replaceAll('\n', `\n${indent}`)
  }
  const printed = options.isTerminal ? (text: string) => text : createEncoder()
  let opening = isOne ? '' : '[\n'
  // Printed with the next one, which needs a comma before it.
  let last: string | undefined
  for await (const items of inChunks(rows)) {
    const texts = items.map(layOut)
    if (last !== undefined) texts.unshift(last)
    last = texts.pop()
    if (texts.length > 0) yield printed(`${opening}${texts.join(',\n')},\n`)
    if (texts.length > 0) opening = ''
  }
  if (last === undefined) yield isOne ? '' : '[]\n'
  else yield printed(`${opening}${last}\n${isOne ? '' : ']\n'}`)
}

export const ndjsonRenderer: Renderer = async function* ({ rows }, options) {
  const asBytes = createEncoder()
  for await (const items of inChunks(rows)) {
    const shown = items.map(item => chooseFields(item, options))
    if (options.isTerminal) yield escapeControlsInJson(shown.map(({ text }) => `${oneLine(text)}\n`).join(''))
    else yield asBytes(shown.map(({ latin1 }) => `${oneLine(latin1)}\n`).join(''))
  }
}

function chooseFields(item: Item, { fields }: PrintOptions): Item {
  if (!fields) return item
  const { at } = rowOf(item)
  return objectOf(fields.map(field => [field, at(field)]))
}
