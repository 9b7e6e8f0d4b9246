/** Loops over JSON bytes without recursion, used by all other files here. */
import { deepest, type Item, Malformed } from './item.ts'

export const quote = 0x22
export const comma = 0x2c
export const colon = 0x3a
export const openList = 0x5b
export const backslash = 0x5c
export const closeList = 0x5d
export const openObject = 0x7b
export const closeObject = 0x7d

export const scalar = 0
export const space = 1
export const divider = 2
export const quoting = 3
export const opening = 4
export const closing = 5
const forbidden = 6

export const classes: Readonly<Uint8Array> = classify()

function classify(): Uint8Array {
  const table = new Uint8Array(256).fill(forbidden)
  const mark = (bytes: string, as: number) => {
    for (const byte of Buffer.from(bytes)) table[byte] = as
  }
  mark('0123456789+-.eEtrufalsn', scalar)
  mark(' \t\r\n', space)
  mark(',:', divider)
  mark('"', quoting)
  mark('{[', opening)
  mark('}]', closing)
  return table
}

export function classOf(byte: number | undefined): number {
  return byte === undefined ? forbidden : (classes[byte] as number)
}

export function beginsValue(byte: number): boolean {
  const kind = classOf(byte)
  return kind === scalar || kind === quoting || kind === opening
}

export function isScalar(item: Item): boolean {
  return /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/.test(item.toString('latin1'))
}

export function skipSpace(bytes: Item, from: number): number {
  let i = from
  while (i < bytes.length && classes[bytes[i] as number] === space) i++
  return i
}

/** Bytes scanned in JavaScript: most strings end within them, and a call of the native search costs as much. */
const near = 40

const stops: Readonly<Uint8Array> = classes.map((_, byte) => Number(byte === quote || byte === backslash))

/** Testing four bytes at once lets the processor load them together and take fewer branches. */
function isPlain(bytes: Item, i: number): boolean {
  const first = (stops[bytes[i] as number] as number) | (stops[bytes[i + 1] as number] as number)
  return (first | (stops[bytes[i + 2] as number] as number) | (stops[bytes[i + 3] as number] as number)) === 0
}

/** Returns the index after a string; -1 if the bytes end before it, -2 if they end after a backslash. */
export function stringEnd(bytes: Buffer, from: number): number {
  const length = bytes.length
  const end = Math.min(length, from + near)
  let i = from
  while (i + 4 <= end && isPlain(bytes, i)) i += 4
  while (i < end) {
    const byte = bytes[i++] as number
    if (byte === quote) return i
    if (byte === backslash) i++
  }
  if (i >= length) return i > length ? -2 : -1
  return longStringEnd(bytes, i)
}

function longStringEnd(bytes: Buffer, from: number): number {
  for (let i = from; ; ) {
    const at = bytes.indexOf(quote, i)
    const end = at < 0 ? bytes.length : at
    let escapes = 0
    while (end - escapes > i && bytes[end - escapes - 1] === backslash) escapes++
    // After an even number of backslashes, the quote is not escaped.
    const escaped = escapes % 2 === 1
    if (at < 0) return escaped ? -2 : -1
    if (!escaped) return at + 1
    i = at + 1
  }
}

export function skipString(bytes: Item, from: number): number {
  const end = stringEnd(bytes, from)
  if (end < 0) throw new Malformed('cut short')
  return end
}

/** Returns the index after an object or list whose bracket is just before `from`. Throws `Malformed`. */
export function skipRest(bytes: Item, from: number): number {
  const length = bytes.length
  let depth = 1
  let i = from
  while (i < length) {
    const kind = classes[bytes[i++] as number] as number
    if (kind < quoting) continue
    if (kind === quoting) i = skipString(bytes, i)
    else if (kind === opening) depth++
    else if (kind !== closing) throw new Malformed('not JSON')
    else if (--depth === 0) return i
  }
  throw new Malformed('cut short')
}

/** Returns the index after the value at `from`. Throws `Malformed`. */
export function skipValue(bytes: Item, from: number): number {
  const kind = classOf(bytes[from])
  if (kind === quoting) return skipString(bytes, from + 1)
  if (kind === opening) return skipRest(bytes, from + 1)
  let i = from
  while (i < bytes.length && classes[bytes[i] as number] === scalar) i++
  if (i === from) throw new Malformed(i < bytes.length ? 'not JSON' : 'cut short')
  return i
}

/** Returns the start of the next key; without one, `~` of the index after the object. Throws `Malformed`. */
export function nextKey(bytes: Item, from: number, first: boolean): number {
  const start = next(bytes, from, first, closeObject)
  if (start >= 0 && bytes[start] !== quote) throw new Malformed(start < bytes.length ? 'not JSON' : 'cut short')
  return start
}

export function nextElement(bytes: Item, from: number, first: boolean): number {
  return next(bytes, from, first, closeList)
}

function next(bytes: Item, from: number, first: boolean, close: number): number {
  const i = skipSpace(bytes, from)
  if (bytes[i] === close) return ~(i + 1)
  if (first) return i
  if (bytes[i] !== comma) throw new Malformed(i < bytes.length ? 'not JSON' : 'cut short')
  return skipSpace(bytes, i + 1)
}

export function valueBehind(bytes: Item, from: number): number {
  const i = skipSpace(bytes, from)
  if (bytes[i] !== colon) throw new Malformed(i < bytes.length ? 'not JSON' : 'cut short')
  return skipSpace(bytes, i + 1)
}

export function refuseDeep(item: Item, most = deepest): void {
  if (isDeeper(item, most)) throw new Malformed('nested too deeply')
}

export function isDeeper(item: Item, most: number): boolean {
  let depth = 0
  for (let i = 0; i < item.length; ) {
    const kind = classes[item[i++] as number]
    if (kind === quoting) i = skipString(item, i)
    else if (kind === closing) depth--
    else if (kind === opening && ++depth > most) return true
  }
  return false
}
