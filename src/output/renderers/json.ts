import type { Item } from '../../json/item.ts'
import { indented, oneLines } from '../../json/layout.ts'
import { escapeControlsInJson } from '../../text/escape-controls.ts'
import type { Document, Renderer, RenderOptions } from '../document.ts'
import { rows } from '../rows.ts'
import { chosen } from './choose-members.ts'

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

export const ndjsonRenderer: Renderer = async function* (document, options) {
  const item = chosen(options.fields)
  const packed = createChunkWriter(newline[0])
  for await (const batch of rows(document)) {
    const lines = options.fields ? batch.map(item) : oneLines(batch)
    if (options.terminal) for (const line of lines) yield `${escapeControlsInJson(line)}\n`
    else yield* packed(lines)
  }
}

type Chosen = (item: Item) => Item

async function* object({ batches }: Document, options: RenderOptions, item: Chosen): AsyncGenerator<Buffer[]> {
  for await (const batch of batches) {
    for (const one of batch) yield [options.terminal ? indented(item(one)) : item(one), newline]
  }
}

async function* array(document: Document, options: RenderOptions, item: Chosen): AsyncGenerator<Buffer[]> {
  const laid = options.terminal ? (one: Item) => inset(indented(item(one))) : item
  const open = Buffer.from('[')
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
  yield [Buffer.from(started ? '\n]\n' : '[]\n')]
}

const newline = Buffer.from('\n')
const separator = Buffer.from(',\n')

function inset(item: Item): Buffer {
  const margin = '  '
  return Buffer.from(margin + item.toString('latin1').replaceAll('\n', `\n${margin}`), 'latin1')
}

const chunkSize = 64 * 1024

/** Joins parts, each with the byte `end`, in one reused buffer: **a chunk is valid until the next one is read.** */
function createChunkWriter(end?: number): (parts: readonly Uint8Array[]) => Generator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(chunkSize)
  return function* packed(parts) {
    let used = 0
    for (const part of parts) {
      if (used > 0 && used + part.length >= chunkSize) {
        yield buffer.subarray(0, used)
        used = 0
      }
      if (part.length >= chunkSize) {
        yield part
      } else {
        buffer.set(part, used)
        used += part.length
      }
      if (end !== undefined) buffer[used++] = end
    }
    if (used > 0) yield buffer.subarray(0, used)
  }
}
