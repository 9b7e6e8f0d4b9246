import type { Item } from '../../json/item.ts'
import { indented } from '../../json/layout.ts'
import { escapeControlsInJson } from '../../text/escape-controls.ts'
import type { Document, Renderer, RenderOptions } from '../document.ts'
import { chosen } from './choose-members.ts'
import { createChunkWriter } from './chunk-writer.ts'

/** Bytes are unchanged in a pipe, indented and escaped at a terminal. Prints nothing before the first items. */
export const jsonRenderer: Renderer = async function* (document, options) {
  const item = chosen(options.fields)
  const packed = createChunkWriter()
  for await (const parts of document.shape === 'list'
    ? array(document, options, item)
    : object(document, options, item)) {
    if (options.terminal) yield escapeControlsInJson(Buffer.concat(parts))
    else yield* packed(parts)
  }
}

type Chosen = (item: Item) => Item

async function* object({ batches }: Document, options: RenderOptions, item: Chosen): AsyncGenerator<Buffer[]> {
  for await (const batch of batches) {
    for (const one of batch) yield [options.terminal ? indented(item(one)) : item(one), newline]
  }
}

async function* array(document: Document, options: RenderOptions, item: Chosen): AsyncGenerator<Buffer[]> {
  const envelope = document.envelope
  const level = envelope ? 2 : 1
  const laid = options.terminal ? (one: Item) => inset(indented(item(one)), level) : item
  const open = Buffer.from(envelope ? (options.terminal ? '{\n  "results": [' : '{"results":[') : '[')
  let behind = newline
  let started = false
  for await (const batch of document.batches) {
    if (batch.length === 0) continue
    const parts: Buffer[] = started ? [] : [open]
    started = true
    for (const one of batch) {
      parts.push(behind, laid(one))
      behind = separator
    }
    yield parts
  }
  const margin = options.terminal ? '  '.repeat(level - 1) : ''
  const close = started ? `\n${margin}]` : `${open}]`
  yield [Buffer.from(`${close}${envelope ? tail(envelope(), options.terminal) : ''}\n`)]
}

const newline = Buffer.from('\n')
const separator = Buffer.from(',\n')

function inset(item: Item, level: number): Buffer {
  const margin = '  '.repeat(level)
  return Buffer.from(margin + item.toString('latin1').replaceAll('\n', `\n${margin}`), 'latin1')
}

/** These members are known only after the rows are read. */
function tail(members: { count: string; next: string; previous: string }, terminal: boolean): string {
  const { count, next, previous } = members
  return terminal
    ? `,\n  "count": ${count},\n  "next": ${next},\n  "previous": ${previous}\n}`
    : `,"count":${count},"next":${next},"previous":${previous}}`
}
