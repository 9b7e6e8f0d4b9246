import { Malformed } from './tokens.ts'

const tab = 0x09
const lineFeed = 0x0a
const carriageReturn = 0x0d
const space = 0x20
const quote = 0x22
const plus = 0x2b
const comma = 0x2c
const minus = 0x2d
const dot = 0x2e
const zero = 0x30
const nine = 0x39
const colon = 0x3a
const openList = 0x5b
const backslash = 0x5c
const closeList = 0x5d
const lowerE = 0x65
const lowerU = 0x75
const openObject = 0x7b
const closeObject = 0x7d
const toLower = 0x20

/** Levels of nesting; deeper recursion could overflow the stack. */
const deepest = 1000

type JsonKind = 'list' | 'object' | 'string' | 'scalar'

/** Moves through UTF-8 from one JSON value to the next, and validates each as strictly as `JSON.parse`. Throws `Malformed`. */
export class Cursor {
  readonly bytes: Buffer
  #at: number
  #depth = 0

  constructor(bytes: Buffer, at = 0) {
    this.bytes = bytes
    this.#at = at
  }

  get at(): number {
    return this.#at
  }

  /** Moves over blanks. */
  get isAtEnd(): boolean {
    return this.#next() === undefined
  }

  end(): void {
    if (!this.isAtEnd) throw new Malformed('not JSON')
  }

  /** The kind of the next value. Moves over blanks. */
  get kind(): JsonKind {
    const byte = this.#next()
    return byte === quote ? 'string' : byte === openObject ? 'object' : byte === openList ? 'list' : 'scalar'
  }

  skip(): void {
    const { kind } = this
    if (kind === 'string') this.#skipString()
    else if (kind === 'scalar') this.#skipScalar()
    else this.enter(this.#skipPart)
  }

  /** Moves over an object or a list. `visit` must move over each item, or over the name and the value of each member. */
  enter(visit: (isMember: boolean) => void): void {
    const isObject = this.kind === 'object'
    const close = isObject ? closeObject : closeList
    this.#at++
    if (++this.#depth > deepest) throw new Malformed('nested too deeply')
    if (this.#next() !== close) {
      do visit(isObject)
      while (this.#takes(comma))
    }
    this.#expect(close)
    this.#depth--
  }

  name(): string {
    const name = this.string()
    this.#expect(colon)
    return name
  }

  string(): string {
    if (this.#next() !== quote) this.#fail()
    const from = this.#at
    this.#skipString()
    const text = this.#textFrom(from + 1, this.#at - 1)
    return text.includes('\\') ? JSON.parse(this.#textFrom(from, this.#at)) : text
  }

  scalar(): string {
    this.#next()
    const from = this.#at
    this.#skipScalar()
    return this.#textFrom(from, this.#at)
  }

  #textFrom(from: number, to: number): string {
    return this.bytes.toString('utf8', from, to)
  }

  readonly #skipPart = (isMember: boolean) => {
    if (isMember) {
      if (this.#next() !== quote) this.#fail()
      this.#skipString()
      this.#expect(colon)
    }
    this.skip()
  }

  #skipString(): void {
    const { bytes } = this
    for (;;) {
      this.#at++
      const byte = bytes[this.#at]
      if (byte === quote) break
      if (byte === backslash) this.#skipEscape()
      else if (byte === undefined || byte < space) this.#fail()
    }
    this.#at++
  }

  #skipEscape(): void {
    const byte = this.bytes[++this.#at]
    if (byte === lowerU) {
      for (let i = 0; i < 4; i++) if (!hexDigits.has(this.bytes[++this.#at] ?? 0)) this.#fail()
    } else if (byte === undefined || !escapes.has(byte)) this.#fail()
  }

  #skipScalar(): void {
    const byte = this.bytes[this.#at]
    const literal = byte === undefined ? undefined : literals.get(byte)
    if (literal) for (const letter of literal) this.#skipOne(letter) || this.#fail()
    else this.#skipNumber()
  }

  #skipNumber(): void {
    this.#skipOne(minus)
    if (!this.#skipOne(zero)) this.#skipDigits()
    if (this.#skipOne(dot)) this.#skipDigits()
    if (((this.bytes[this.#at] ?? 0) | toLower) !== lowerE) return
    this.#at++
    if (!this.#skipOne(plus)) this.#skipOne(minus)
    this.#skipDigits()
  }

  #skipDigits(): void {
    const from = this.#at
    while (isDigit(this.bytes[this.#at])) this.#at++
    if (this.#at === from) this.#fail()
  }

  #skipOne(byte: number): boolean {
    if (this.bytes[this.#at] !== byte) return false
    this.#at++
    return true
  }

  #next(): number | undefined {
    for (;;) {
      const byte = this.bytes[this.#at]
      if (byte !== space && byte !== lineFeed && byte !== carriageReturn && byte !== tab) return byte
      this.#at++
    }
  }

  #takes(byte: number): boolean {
    return this.#next() === byte && this.#skipOne(byte)
  }

  #expect(byte: number): void {
    if (!this.#takes(byte)) this.#fail()
  }

  #fail(): never {
    throw new Malformed(this.#at >= this.bytes.length ? 'cut short' : 'not JSON')
  }
}

const escapes: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'))

const hexDigits: ReadonlySet<number> = new Set(Buffer.from('0123456789abcdefABCDEF'))

const literals: ReadonlyMap<number, Buffer> = new Map(
  ['true', 'false', 'null'].map(word => [word.charCodeAt(0), Buffer.from(word)]),
)

function isDigit(byte = 0): boolean {
  return byte >= zero && byte <= nine
}
