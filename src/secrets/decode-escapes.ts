interface Decoded {
  /** One character per byte of UTF-8, without backslashes; the escape `\n` is its control character. */
  readonly bytes: string
  /** Offset of each byte in the text; undefined if they are equal. */
  readonly starts?: readonly number[]
  readonly ends?: readonly number[]
}

/** Escapes of JSON and URLs, even if escaped several times, and of HTML. */
const escapes =
  /\\+(?:u\{0*([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2})|([^&%]))?|%(?:25)*([\da-f]{2})|&#x0*([\da-f]{1,6});?|&#0*(\d{1,7});?|&(amp|lt|gt|quot|apos|sol|plus|equals);/gisu

export function decodeEscapes(text: string): Decoded {
  if (/^[\0-$'-[\]-\x7f]*$/.test(text)) return { bytes: text }
  const parts: string[] = []
  const starts: number[] = []
  const ends: number[] = []
  const add = (bytes: string, start: number, end: number) => {
    parts.push(bytes)
    for (let i = 0; i < bytes.length; i++) {
      starts.push(start)
      ends.push(end)
    }
  }
  let last = 0
  const addPlain = (end: number) => {
    for (const character of text.slice(last, end)) {
      add(bytesOf(character), last, last + character.length)
      last += character.length
    }
  }
  for (const found of text.matchAll(escapes)) {
    addPlain(found.index)
    last += found[0].length
    add(meaningOf(found), found.index, last)
  }
  addPlain(text.length)
  return { bytes: parts.join(''), starts, ends }
}

/** The bytes of a text, without decoding escapes. */
export function plainBytes(text: string): string {
  return Array.from(text, bytesOf).join('')
}

function meaningOf([, point, unit, byte, itself, percent, hexadecimal, decimal, name]: RegExpExecArray): string {
  const code = point ?? unit ?? byte ?? hexadecimal
  if (code !== undefined) return bytesOf(characterOf(Number.parseInt(code, 16)))
  if (percent !== undefined) return withoutBackslash(String.fromCharCode(Number.parseInt(percent, 16)))
  if (decimal !== undefined) return bytesOf(characterOf(Number(decimal)))
  if (itself !== undefined) return controls[itself] ?? bytesOf(itself)
  return entities[name?.toLowerCase() ?? ''] ?? ''
}

const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', b: '\b' }

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  sol: '/',
  plus: '+',
  equals: '=',
}

function characterOf(point: number): string {
  return point > 0x10ffff ? '\ufffd' : String.fromCodePoint(point)
}

function bytesOf(character: string): string {
  return character < '\x80' ? withoutBackslash(character) : Buffer.from(character).toString('latin1')
}

function withoutBackslash(byte: string): string {
  return byte === '\\' ? '' : byte
}
