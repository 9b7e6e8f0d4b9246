const mask = '***'

/** Shorter texts would match parts of ordinary words. */
const shortest = 8

/** Load balancers set a new cookie with each answer, so only the newest are kept. */
const mostCookies = 128

export interface Secrets {
  /** A text of fewer than 8 characters is ignored. */
  add(text: string | undefined): void
  /** The same for the value of a cookie; only the newest ones are hidden. */
  addCookie(value: string | undefined): void
  /** Replaces each secret by `***`: plain, in any case, escaped for JSON, URLs or HTML, in hex and Base64. */
  hide(text: string): string
}

export function createSecrets(): Secrets {
  const kept = new Map<string, readonly string[]>()
  const cookies = new Map<string, readonly string[]>()
  return {
    add(text = '') {
      const secret = text.trim()
      if (secret.length >= shortest && !kept.has(secret)) kept.set(secret, needlesOf(secret))
    },
    addCookie(value = '') {
      const secret = value.trim()
      if (secret.length < shortest) return
      const needles = cookies.get(secret) ?? needlesOf(secret)
      cookies.delete(secret)
      cookies.set(secret, needles)
      const [oldest = ''] = cookies.keys()
      if (cookies.size > mostCookies) cookies.delete(oldest)
    },
    hide(text) {
      const needles = [...kept.values(), ...cookies.values()].flat()
      return needles.length === 0 || text.length < shortest ? text : without(text, needles)
    },
  }
}

/** A part of the secret that looks like an escape may also stand there unchanged. */
function needlesOf(secret: string): readonly string[] {
  return [plainBytes(secret), ...encodingsOf(secret).map(encoding => decode(encoding).bytes)]
}

export function holdsSecret(text: string, secret: string): boolean {
  const secrets = createSecrets()
  secrets.add(secret)
  return text.includes(secret) || secrets.hide(text) !== text
}

function encodingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  return [secret, bytes.toString('hex'), ...[0, 1, 2].flatMap(offset => base64At(offset, bytes))]
}

/** Base64 depends on the offset in a group of three bytes; characters shared with neighbours are left out. */
function base64At(offset: number, bytes: Buffer): string[] {
  const text = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .replace(/=+$/, '')
  const end = (offset + bytes.length) % 3 === 0 ? text.length : text.length - 1
  const certain = text.slice([0, 2, 3][offset], end)
  return [certain, certain.replaceAll('+', '-').replaceAll('/', '_')]
}

function without(text: string, needles: readonly string[]): string {
  const { bytes, starts, ends } = decode(text)
  const found = needles.flatMap(needle => placesOf(bytes, needle))
  found.sort(([a], [b]) => a - b)
  let shown = ''
  let last = 0
  for (const [from, to] of found) {
    const [start, end] = [starts?.[from] ?? from, ends?.[to - 1] ?? to]
    if (start >= last) shown += text.slice(last, start) + mask
    last = Math.max(last, end)
  }
  return shown + text.slice(last)
}

function placesOf(bytes: string, needle: string): [from: number, to: number][] {
  const places: [number, number][] = []
  for (let at = bytes.indexOf(needle); at >= 0; at = bytes.indexOf(needle, at + 1))
    places.push([at, at + needle.length])
  return places
}

interface Decoded {
  /** One lower-case character for each byte of UTF-8, escapes decoded. */
  readonly bytes: string
  /** Offsets in the text of each byte; undefined where both are the same. */
  readonly starts?: readonly number[]
  readonly ends?: readonly number[]
}

/** Escapes of JSON and URLs, also escaped several times, and of HTML. */
const escapes =
  /\\+(?:u\{0*([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2})|([^&%]))?|%(?:25)*([\da-f]{2})|&#x0*([\da-f]{1,6});|&#0*(\d{1,7});|&(amp|lt|gt|quot|apos|sol|plus|equals);/gisu

function decode(text: string): Decoded {
  if (/^[ -$'-[\]-~]*$/.test(text)) return { bytes: text.toLowerCase() }
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
  return { bytes: parts.join('').toLowerCase(), starts, ends }
}

function meaningOf([, point, unit, byte, itself, percent, hexadecimal, decimal, name]: RegExpExecArray): string {
  const code = point ?? unit ?? byte ?? hexadecimal
  if (code !== undefined) return bytesOf(characterOf(Number.parseInt(code, 16)))
  if (percent !== undefined) return byteOf(String.fromCharCode(Number.parseInt(percent, 16)))
  if (decimal !== undefined) return bytesOf(characterOf(Number(decimal)))
  return bytesOf(itself ?? entities[name?.toLowerCase() ?? ''] ?? '')
}

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

function plainBytes(text: string): string {
  return Array.from(text, bytesOf).join('').toLowerCase()
}

/** `\n` may be an escape or a backslash and a letter, so both count as the letter. */
const letters: Readonly<Record<string, string>> = { '\n': 'n', '\r': 'r', '\t': 't', '\f': 'f', '\b': 'b', '\\': '' }

function bytesOf(character: string): string {
  return letters[character] ?? Buffer.from(character).toString('latin1')
}

function byteOf(byte: string): string {
  return letters[byte] ?? byte
}
