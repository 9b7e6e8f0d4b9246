import { oneLines } from '../../json/layout.ts'
import { escapeControlsInJson } from '../../text/escape-controls.ts'
import type { Renderer } from '../document.ts'
import { rows } from '../rows.ts'
import { chosen } from './choose-members.ts'
import { createChunkWriter } from './chunk-writer.ts'

export const ndjsonRenderer: Renderer = async function* (document, options) {
  const item = chosen(options.fields)
  const packed = createChunkWriter(newline)
  for await (const batch of rows(document)) {
    const lines = options.fields ? batch.map(item) : oneLines(batch)
    if (options.terminal) for (const line of lines) yield `${escapeControlsInJson(line)}\n`
    else yield* packed(lines)
  }
}

const newline = 0x0a
