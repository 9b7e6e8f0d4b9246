const mask = '***'

/** Shorter texts occur inside ordinary words. */
const shortest = 8

/** Load balancers set a new cookie with each answer. */
const mostPassing = 128

export interface Secrets {
  /** Ignores texts of fewer than 8 characters. */
  add(text: string | undefined): void
  /** Only the newest of these are hidden. */
  addPassing(text: string | undefined): void
  /** Replaces each by `***`: plain, in JSON escapes, percent-encoded and in Base64. */
  hide(text: string): string
}

export function createSecrets(most = mostPassing): Secrets {
  const kept = new Map<string, Needles>()
  const passing = new Map<string, Needles>()
  const put = (secrets: Map<string, Needles>, text = '') => {
    const secret = text.trim()
    if (secret.length < shortest) return
    const needles = secrets.get(secret) ?? lazily(() => needlesOf(secret))
    secrets.delete(secret)
    secrets.set(secret, needles)
  }
  return {
    add: text => put(kept, text),
    addPassing(text) {
      put(passing, text)
      const [oldest = ''] = passing.keys()
      if (passing.size > most) passing.delete(oldest)
    },
    hide(text) {
      if (kept.size + passing.size === 0 || text.length < shortest) return text
      return without(
        text,
        [...kept.values(), ...passing.values()].flatMap(needles => needles()),
      )
    },
  }
}

/** A header allows only visible ASCII; quotes around a key come from a file or script. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text) && !/^(["'`]).*\1$/.test(text)
}

export function holdsSecret(text: string, secret: string): boolean {
  return text.includes(secret) || (secret.length >= shortest && without(text, needlesOf(secret)) !== text)
}

type Needles = () => readonly string[]

/** Most secrets of records are never searched for. */
function lazily<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** A secret may itself look like an escape, so it is searched for as it is and decoded. */
function needlesOf(secret: string): readonly string[] {
  const readings = [asItIs(secret), withoutBackslashes(asItIs(secret)), decode(secret)].map(({ bytes }) => bytes)
  const spelled = [...readings, ...[0, 1, 2].flatMap(offset => base64At(offset, secret))]
  return [...new Set(spelled)]
}

/** Base64 depends on the offset in a group of three bytes; characters shared with neighbours are left out. */
function base64At(offset: number, secret: string): string[] {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)])
  const whole = Math.floor((bytes.length * 4) / 3)
  const certain = bytes.toString('base64').slice([0, 2, 3][offset], whole)
  return [certain, certain.replaceAll('+', '-').replaceAll('/', '_')]
}

function without(text: string, needles: readonly string[]): string {
  // An escape that is cut off may swallow the beginning of a secret, so the text is also searched as it is.
  const ranges = [asItIs(text), decode(text)].flatMap(({ bytes, starts }) =>
    needles.flatMap(needle => placesOf(needle, bytes).map(at => [starts(at), starts(at + needle.length)] as const)),
  )
  ranges.sort(([a], [b]) => a - b)
  let shown = ''
  let last = 0
  for (const [start, end] of ranges) {
    if (start >= last) shown += text.slice(last, start) + mask
    last = Math.max(last, end)
  }
  return shown + text.slice(last)
}

function placesOf(needle: string, bytes: string): number[] {
  const places: number[] = []
  for (let at = bytes.indexOf(needle); at >= 0; at = bytes.indexOf(needle, at + 1)) places.push(at)
  return places
}

interface Reading {
  /** One character per byte of UTF-8. */
  readonly bytes: string
  /** Returns the offset in the text of a byte, or of the end. */
  starts(at: number): number
}

function asItIs(text: string): Reading {
  if (isAscii(text)) return { bytes: text, starts: at => at }
  const starts: number[] = []
  let last = 0
  for (const character of text) {
    for (let i = lengthOf(character); i > 0; i--) starts.push(last)
    last += character.length
  }
  return { bytes: bytesOf(text), starts: at => starts[at] ?? text.length }
}

/**
 * Decodes escapes of URLs, then of JSON, also those that were escaped again: in that order a secret that holds both reads the
 * same however it was written.
 */
function decode(text: string): Reading {
  return withoutBackslashes(replace(asItIs(text), /%(?:25)*([\da-f]{2})/gi, ([, byte = '']) => byteOf(byte)))
}

/** Backslashes vanish, and `\n` is `n`: it may be an escape, or a backslash and a letter. */
function withoutBackslashes(reading: Reading): Reading {
  return replace(reading, /([\b\t\n\f\r])|\\+(?:u([\da-f]{4})|([\s\S]))?/gi, ([, control, unit, escaped = '']) =>
    unit === undefined ? (letters[control ?? ''] ?? escaped) : (letters[byteOf(unit)] ?? bytesOf(byteOf(unit))),
  )
}

const letters: Readonly<Record<string, string>> = { '\b': 'b', '\t': 't', '\n': 'n', '\f': 'f', '\r': 'r' }

function byteOf(code: string): string {
  return String.fromCharCode(Number.parseInt(code, 16))
}

function replace(reading: Reading, pattern: RegExp, by: (match: RegExpExecArray) => string): Reading {
  const starts: number[] = []
  let bytes = ''
  let last = 0
  const addPlain = (end: number) => {
    bytes += reading.bytes.slice(last, end)
    for (; last < end; last++) starts.push(reading.starts(last))
  }
  for (const match of reading.bytes.matchAll(pattern)) {
    addPlain(match.index)
    const piece = by(match)
    bytes += piece
    for (let i = 0; i < piece.length; i++) starts.push(reading.starts(last))
    last += match[0].length
  }
  if (last === 0) return reading
  addPlain(reading.bytes.length)
  return { bytes, starts: at => starts[at] ?? reading.starts(reading.bytes.length) }
}

function bytesOf(text: string): string {
  return isAscii(text) ? text : Buffer.from(text).toString('latin1')
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text)
}

/** Returns the number of bytes of a character in UTF-8. */
function lengthOf(character: string): number {
  const point = character.codePointAt(0) ?? 0
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
}
