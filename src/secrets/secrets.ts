import { decodeEscapes, plainBytes } from './decode-escapes.ts'
import { NeedleIndex, type Range } from './needle-index.ts'

const mask = '***'

/** Shorter texts occur inside ordinary words. */
const shortest = 8

/** Load balancers set a new cookie with each answer, so only the newest are kept. */
const mostCookies = 128

export interface Secrets {
  /** Ignores texts of fewer than 8 characters. The path of a URL is secret too, and a key without its prefix. */
  add(text: string | undefined): void
  /** Only the newest cookies are hidden. */
  addCookie(value: string | undefined): void
  /** Replaces each by `***`: in any case, escaped, as bytes, in Base64, over lines, and cut off at `…`. */
  hide(text: string): string
}

export function createSecrets(): Secrets {
  const kept = new Set<string>()
  const cookies = new Set<string>()
  const indexes = new Map(readings.map(reading => [reading, new NeedleIndex()]))
  const learn = (secret: string) => {
    for (const { reading, bytes } of needlesOf(secret)) indexes.get(reading)?.add(bytes)
  }
  const forget = (secret: string) => {
    for (const { reading, bytes } of needlesOf(secret)) indexes.get(reading)?.remove(bytes)
  }
  return {
    add(text = '') {
      for (const secret of [text.trim(), ...partsOf(text.trim())]) {
        if (secret.length < shortest || kept.has(secret)) continue
        kept.add(secret)
        learn(secret)
      }
    },
    addCookie(value = '') {
      const secret = value.trim()
      if (secret.length < shortest) return
      if (!cookies.delete(secret)) learn(secret)
      cookies.add(secret)
      const [oldest = ''] = cookies
      if (cookies.size <= mostCookies) return
      cookies.delete(oldest)
      forget(oldest)
    },
    hide(text) {
      return kept.size + cookies.size === 0 || text.length < shortest ? text : without(text, indexes)
    },
  }
}

/** Parts that must be hidden too: servers repeat a URL without its host, and a key without `phx_`. */
function partsOf(secret: string): readonly string[] {
  const [, path] = /^https?:\/\/[^/?#]*([^#]*)/i.exec(secret) ?? []
  if (path === undefined) return /(?<=^[a-z]{1,5}_).{16,}$/i.exec(secret) ?? []
  return [path, ...path.split(/[/?&=]/).filter(isNoWord)]
}

/** Looks like a token; ordinary words of a path occur in other messages. */
function isNoWord(text: string): boolean {
  return text.length >= 16 || /\d|[a-z][A-Z]/.test(text)
}

interface Needle {
  readonly reading: Reading
  readonly bytes: string
}

function needlesOf(secret: string): readonly Needle[] {
  const bytes = Buffer.from(secret)
  const hex = bytes.toString('hex')
  // Parts of the secret may look like an escape, so it is also searched for without decoding.
  const spelled = [plainBytes(secret), decodeEscapes(secret).bytes, ...[0, 1, 2].flatMap(at => base64At(at, bytes))]
  const read = (reading: Reading, all: readonly string[]) => all.map(one => ({ reading, bytes: readAs(reading, one) }))
  return [
    ...read('asWritten', [...spelled, hex]),
    ...read('joined', spelled).filter(needle => needle.bytes.length >= shortest),
    ...read('hexadecimal', [hex]),
    ...read('decimal', [bytes.join(' ')]),
  ]
}

export function holdsSecret(text: string, secret: string): boolean {
  const secrets = createSecrets()
  secrets.add(secret)
  return text.includes(secret) || secrets.hide(text) !== text
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

function without(text: string, indexes: ReadonlyMap<Reading, NeedleIndex>): string {
  const { bytes, starts, ends } = decodeEscapes(text)
  const found = [...indexes].flatMap(([reading, index]) =>
    placesOf(bytes, reading, index).map(([from, to]): Range => [starts?.[from] ?? from, ends?.[to - 1] ?? to]),
  )
  found.sort(([a], [b]) => a - b)
  let shown = ''
  let last = 0
  for (const [start, end] of found) {
    if (start >= last) shown += text.slice(last, start) + mask
    last = Math.max(last, end)
  }
  return shown + text.slice(last)
}

function placesOf(bytes: string, reading: Reading, index: NeedleIndex): readonly Range[] {
  const read = readAs(reading, bytes)
  const gap = gaps[reading]
  if (gap && read.length === bytes.length) return []
  // Some servers shorten a key. URLs begin alike, so only their path counts.
  const isShortened = (needle: string, from: number, end: number) =>
    end - from >= shortest &&
    (read.startsWith('...', end) || read.startsWith(ellipsis, end)) &&
    !/^https?:/.test(needle)
  const places = index.placesIn(read, isShortened)
  if (!gap || places.length === 0) return places
  const offsets = offsetsOf(bytes, gap)
  return places.map(([from, to]) => [offsets[from] ?? 0, (offsets[to - 1] ?? 0) + 1])
}

const ellipsis = plainBytes('…')

const readings = ['asWritten', 'joined', 'hexadecimal', 'decimal'] as const

type Reading = (typeof readings)[number]

/** Each reading skips these characters; those of several bytes only if they are invisible. */
const gaps = {
  asWritten: undefined,
  joined: /[\0-\x20\x7f]+|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf3][\x80-\xbf]{3}/g,
  hexadecimal: /0x|[\0-\x20\x7f,:-]+/gi,
  decimal: /[\0-\x20\x7f,]+/g,
} satisfies Readonly<Record<Reading, RegExp | undefined>>

function readAs(reading: Reading, bytes: string): string {
  const gap = gaps[reading]
  const read = gap
    ? bytes.replace(gap, found => (isGap(found) ? '' : found))
    : // `\n` may be an escape or a backslash and a letter, so both count as the letter.
      bytes.replace(/[\b\t\n\f\r]/g, control => letters[control] ?? '')
  return read.toLowerCase()
}

const letters: Readonly<Record<string, string>> = { '\b': 'b', '\t': 't', '\n': 'n', '\f': 'f', '\r': 'r' }

function isGap(found: string): boolean {
  return found < '\x80' || /[\s\p{Cc}\p{Cf}\p{DI}]/u.test(characterOf(found))
}

/** Decodes one character of UTF-8, because `Buffer` is slow for megabytes of them. */
function characterOf(bytes: string): string {
  let point = bytes.charCodeAt(0) & (0xff >> (bytes.length + 1))
  for (let i = 1; i < bytes.length; i++) point = (point << 6) | (bytes.charCodeAt(i) & 0x3f)
  return String.fromCodePoint(point)
}

function offsetsOf(bytes: string, gap: RegExp): readonly number[] {
  const offsets: number[] = []
  const read = (end: number) => {
    for (; at < end; at++) offsets.push(at)
  }
  let at = 0
  for (const { 0: found, index } of bytes.matchAll(gap)) {
    read(index)
    if (isGap(found)) at += found.length
  }
  read(bytes.length)
  return offsets
}
