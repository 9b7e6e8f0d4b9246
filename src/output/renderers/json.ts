import type { Item } from '../../json/item.ts'
import { indented } from '../../json/layout.ts'
import { escapeControlsInJson } from '../../text/escape-controls.ts'
import type { Document, Renderer, RenderOptions } from '../document.ts'
import { rows } from '../rows.ts'
import { chosen } from './choose-members.ts'

/** Values are unchanged in a pipe, indented and escaped at a terminal. Prints nothing before the first items. */
export const jsonRenderer: Renderer = async function* (document, options) {
  const item = chosen(options.fields)
  const parts = document.shape === 'list' ? array(document, options, item) : object(document, options, item)
  for await (const part of parts) yield options.terminal ? escapeControlsInJson(part) : part
}

export const ndjsonRenderer: Renderer = async function* (document, options) {
  const item = chosen(options.fields)
  for await (const batch of rows(document)) {
    for (const chunk of chunksOf(batch)) {
      const lines = chunk.map(one => `${item(one)}\n`)
      yield options.terminal ? lines.map(escapeControlsInJson).join('') : lines.join('')
    }
  }
}

type Chosen = (item: Item) => string

async function* object({ batches }: Document, options: RenderOptions, item: Chosen): AsyncGenerator<string> {
  for await (const batch of batches) {
    for (const one of batch) yield `${options.terminal ? indented(item(one)) : item(one)}\n`
  }
}

async function* array(document: Document, options: RenderOptions, item: Chosen): AsyncGenerator<string> {
  const laid = options.terminal ? (one: Item) => inset(indented(item(one))) : item
  let before = '[\n'
  for await (const batch of document.batches) {
    for (const chunk of chunksOf(batch)) {
      if (chunk.length === 0) continue
      yield before + chunk.map(laid).join(',\n')
      before = ',\n'
    }
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}

function inset(text: string): string {
  return `  ${text.replaceAll('\n', '\n  ')}`
}

const chunk = 100

function* chunksOf(items: readonly Item[]): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += chunk) yield items.slice(from, from + chunk)
}
