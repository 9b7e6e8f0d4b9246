import type { Item } from './item.ts'
import {
  classes,
  classOf,
  closing,
  colon,
  comma,
  opening,
  quoting,
  skipSpace,
  skipString,
  skipValue,
  space,
} from './scan.ts'

export function oneLine(item: Item): Item {
  if (!item.includes(0x0a) && !item.includes(0x0d)) return item
  // Latin-1 keeps bytes that are not UTF-8.
  const text = item.toString('latin1')
  let out = ''
  for (let i = 0; i < item.length; ) {
    const start = i++
    const kind = classes[item[start] as number]
    if (kind === quoting) {
      i = skipString(item, i)
      // Some servers send a raw line break in a string, which would split a line of NDJSON.
      out += text.slice(start, i).replace(/\n/g, '\\n').replace(/\r/g, '\\r')
    } else if (kind !== space) {
      out += text[start]
    }
  }
  return Buffer.from(out, 'latin1')
}

/** Most chunks have no line break, so one search covers many items. */
export function oneLines(items: readonly Item[]): readonly Item[] {
  return haveBreaks(items) ? items.map(oneLine) : items
}

function haveBreaks(items: readonly Item[]): boolean {
  for (let i = 0; i < items.length; ) {
    const { buffer, byteOffset } = items[i] as Item
    let end = byteOffset
    for (let item = items[i]; item?.buffer === buffer && item.byteOffset >= end; item = items[++i]) {
      end = item.byteOffset + item.length
    }
    const shared = Buffer.from(buffer, byteOffset, end - byteOffset)
    if (shared.includes(0x0a) || shared.includes(0x0d)) return true
  }
  return false
}

/** Deeper levels are not indented, since white space would be larger than the data. */
const deepest = 100

/** Same layout as `JSON.stringify(value, null, indent)`, but tokens are unchanged. */
export function indented(item: Item, indent = 2): Item {
  const text = item.toString('latin1')
  const line = (depth: number) => `\n${' '.repeat(indent * Math.max(0, Math.min(depth, deepest)))}`
  let out = ''
  let depth = 0
  for (let i = skipSpace(item, 0); i < item.length; i = skipSpace(item, i)) {
    const start = i++
    const byte = item[start]
    const kind = classOf(byte)
    if (kind === opening) {
      const next = skipSpace(item, i)
      const empty = classOf(item[next]) === closing
      out += text[start]
      out += empty ? text[next] : line(++depth)
      if (empty) i = next + 1
    } else if (kind === closing) {
      out += line(--depth)
      out += text[start]
    } else if (byte === comma) {
      out += `,${line(depth)}`
    } else if (byte === colon) {
      out += ': '
    } else {
      i = skipValue(item, start)
      out += text.slice(start, i)
    }
  }
  return Buffer.from(out, 'latin1')
}
