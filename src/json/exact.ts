import { parse } from 'lossless-json'
import { deepest, type Item, Malformed } from './item.ts'
import { elements, members } from './pick.ts'
import {
  backslash,
  classes,
  closing,
  colon,
  opening,
  quoting,
  scalar,
  skipSpace,
  skipString,
  skipValue,
} from './scan.ts'

/** A number that JavaScript would write differently, such as 9007199254740993, 1.0, 1e400 or -0. */
export class ExactNumber {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }

  toString(): string {
    return this.source
  }
}

export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return isCompound(value) && !Array.isArray(value) && !(value instanceof ExactNumber)
}

/** Original order of members: JavaScript puts names that look like array indexes first. */
const order = Symbol('order')

/** Like `JSON.parse`, but keeps exact numbers and, until it is copied, the order of members. Throws `Malformed`. */
export function decode(json: Uint8Array | string): unknown {
  const text = (
    typeof json === 'string' ? json : Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString()
  ).replace(/^\ufeff/, '')
  const bytes = Buffer.from(text)
  const found = survey(bytes)
  try {
    const value: unknown = found.altered
      ? parse(text, null, { parseNumber: exactly, onDuplicateKey: ({ newValue }) => newValue })
      : JSON.parse(text)
    if (found.indexed) keepOrder(value, bytes.subarray(skipSpace(bytes, 0)))
    return value
  } catch (error) {
    throw error instanceof SyntaxError ? new Malformed('not JSON', error) : error
  }
}

export function decodeObject(json: Uint8Array | string): JsonObject {
  const value = decode(json)
  if (isObject(value)) return value
  throw new Malformed('not an object')
}

/** Like `JSON.stringify`. Throws `Malformed` above 1,000 levels, so also for a cycle. */
export function encode(value: unknown): string {
  return write(value, '', 0) ?? 'null'
}

/** Makes plain JavaScript numbers: integers beyond 2^53 become strings, other numbers the nearest double. */
export function plain(value: unknown): unknown {
  if (value instanceof ExactNumber || typeof value === 'number') return plainNumber(value)
  if (Array.isArray(value)) return value.map(plain)
  if (!isObject(value)) return value
  // Assigning `__proto__` would not create a member.
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]))
}

function plainNumber(value: ExactNumber | number): number | string {
  const number = Number(value)
  if (!Number.isFinite(number)) return String(value)
  // A double of this size is already rounded.
  const beyond = Math.abs(number) > 2 ** 53 || (value instanceof ExactNumber && number !== 0)
  return beyond && /^-?\d+$/.test(String(value)) ? String(value) : number
}

function exactly(source: string): number | ExactNumber {
  return survives(source) ? Number(source) : new ExactNumber(source)
}

function survives(source: string): boolean {
  return String(Number(source)) === source
}

function survey(bytes: Item): { altered: boolean; indexed: boolean } {
  let altered = false
  let indexed = false
  let depth = 0
  for (let i = 0; i < bytes.length; ) {
    const kind = classes[bytes[i] as number]
    const start = i++
    if (kind === quoting) {
      i = skipString(bytes, i)
      if (bytes[skipSpace(bytes, i)] !== colon) continue
      indexed ||= isDigit(bytes[start + 1])
      altered ||= isEscaped(bytes, start, i)
    } else if (kind === scalar) {
      i = skipValue(bytes, start)
      altered ||=
        !isPlainInteger(bytes, start, i) && startsNumber(bytes[start]) && !survives(bytes.toString('latin1', start, i))
    } else if (kind === opening) {
      if (++depth > deepest) throw new Malformed('nested too deeply')
    } else if (kind === closing) {
      depth--
    }
  }
  return { altered, indexed }
}

/** V8 bug in Node 24 and 26: `JSON.parse('{"a\\n":1}')` can return the key `a\` of an earlier object. */
function isEscaped(bytes: Item, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (bytes[i] === backslash) return true
  return false
}

/** A double holds all integers of this length, and this test creates no string. */
function isPlainInteger(bytes: Item, start: number, end: number): boolean {
  if (end - start > 15 || (bytes[start] === 0x30 && end - start > 1)) return false
  for (let i = start; i < end; i++) if (!isDigit(bytes[i])) return false
  return true
}

function startsNumber(byte: number | undefined): boolean {
  return byte === 0x2d || isDigit(byte)
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39
}

function keepOrder(value: unknown, item: Item): void {
  if (Array.isArray(value)) {
    for (const [index, element] of elements(item).entries()) keepOrder(value[index], element)
  } else if (isObject(value)) {
    const raw = new Map(members(item))
    const stood = [...raw.keys()]
    if (Object.keys(value).some((name, index) => name !== stood[index])) {
      Object.defineProperty(value, order, { value: stood })
    }
    for (const [name, member] of raw) keepOrder(value[name], member)
  }
}

function write(value: unknown, key: string, depth: number): string | undefined {
  if (value instanceof ExactNumber) return value.source
  if (!isCompound(value)) return JSON.stringify(value)
  if (depth === deepest) throw new Malformed('nested too deeply')
  if (typeof value.toJSON === 'function') return write(value.toJSON(key), key, depth + 1)
  if (Array.isArray(value))
    return `[${value.map((item, index) => write(item, String(index), depth + 1) ?? 'null').join()}]`
  const written: string[] = []
  for (const name of namesOf(value)) {
    const member = write(value[name], name, depth + 1)
    if (member !== undefined) written.push(`${JSON.stringify(name)}:${member}`)
  }
  return `{${written.join()}}`
}

function namesOf(value: Record<PropertyKey, unknown>): Iterable<string> {
  const names = Object.keys(value)
  const stood = value[order]
  if (!Array.isArray(stood)) return names
  const there = new Set(names)
  return new Set([...stood.filter(name => there.has(name)), ...names])
}

function isCompound(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null
}
