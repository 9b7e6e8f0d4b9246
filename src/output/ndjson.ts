import { visible } from '../json/layout.ts'
import type { Renderer } from './document.ts'
import { chosen } from './fields.ts'
import { createPacker } from './packed.ts'
import { rows } from './rows.ts'

/** An item a line, as the bytes that came. */
export const ndjson: Renderer = async function* (document, look) {
  const item = chosen(look.fields)
  const packed = createPacker()
  for await (const batch of rows(document)) {
    const parts: Buffer[] = []
    for (const one of batch) parts.push(item(one), newline)
    if (look.terminal) yield visible(Buffer.concat(parts))
    else yield* packed(parts)
  }
}

const newline = Buffer.from('\n')
