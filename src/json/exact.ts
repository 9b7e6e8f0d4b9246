import { parse } from 'lossless-json'
import { UsageError } from '../errors.ts'
import { deepest, Malformed, refuseUnreadable } from './tokens.ts'

/** A number that JavaScript would write differently, such as 9007199254740993, 1.0, 1e400 or -0. */
export class ExactNumber {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }

  toString(): string {
    return this.source
  }

  /** `JSON.stringify` cannot write it; `encode` can. */
  toJSON(): never {
    throw new TypeError('An exact number would lose digits')
  }
}

export type Json = null | boolean | number | string | ExactNumber | readonly Json[] | JsonObject<Json>

export interface JsonObject<Member = unknown> {
  readonly [name: string]: Member
}

export function isObject(value: Json | undefined): value is JsonObject<Json>
export function isObject(value: unknown): value is JsonObject
export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
}

export function isText(value: unknown): value is string {
  return typeof value === 'string'
}

export function isNumber(value: unknown): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber
}

/** Without what every object inherits, such as `constructor`. */
export function memberOf<Member>(object: JsonObject<Member>, name: string): Member | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** Like `JSON.parse`, but keeps exact numbers. Throws `Malformed`. */
export function decode(json: Buffer | string): Json {
  const text = asText(json)
  refuseUnreadable(text)
  return needsExact(text) ? decodeExactly(text) : parseText(text)
}

/** For JSON that a person wrote: of two members with one name it is not known which one was meant. */
export function decodeGiven(json: Buffer | string, where: string): Json {
  const text = asText(json)
  refuseUnreadable(text)
  return decodeExactly(text, name => {
    throw new UsageError(`${where}${name} is given twice`, { hint: 'Keep one of them' })
  })
}

/** Like `decodeGiven`; undefined for what is no JSON. */
export function givenIn(json: Buffer | string, where: string): Json | undefined {
  try {
    return decodeGiven(json, where)
  } catch (error) {
    if (error instanceof Malformed) return undefined
    throw error
  }
}

export function decodeExactly(text: string, onRepeated?: (name: string) => never): Json {
  const onDuplicateKey = ({ key, newValue }: { readonly key: string; readonly newValue: unknown }) =>
    onRepeated ? onRepeated(key) : newValue
  return parsed(() => parse(text, null, { parseNumber: exactly, onDuplicateKey }) as Json)
}

export function decodeObject(json: Buffer | string): JsonObject<Json> {
  const value = decode(json)
  if (isObject(value)) return value
  throw new Malformed('not an object')
}

/** True for a text with a number that a double may not keep; a wrong yes costs only time. */
export function needsExact(text: string): boolean {
  return inexact.test(text) || (text.includes('\\') && escapedName.test(text))
}

const inexact = /(?:^|[\s:,[])-?(?:0(?<=-0)(?![.\d])|\d+\.\d*0(?=[\s,\]}]|$)|[\d.]+[eE]|[\d.]{16}|0\.0{6})/

/** V8 bug in Node 24 and 26: `JSON.parse('{"a\\n":1}')` can return the key `a\` of an earlier object. */
const escapedName = /[{,]\s*"[^"\\]*\\/

export function parseText(text: string): Json {
  return parsed(() => JSON.parse(text))
}

function parsed(read: () => Json): Json {
  try {
    return read()
  } catch (error) {
    throw error instanceof SyntaxError ? new Malformed('not JSON', error) : error
  }
}

function asText(json: Buffer | string): string {
  return json.toString().replace(/^\ufeff/, '')
}

function exactly(source: string): number | ExactNumber {
  return String(Number(source)) === source ? Number(source) : new ExactNumber(source)
}

/** Like `JSON.stringify`, and exact numbers keep their digits. Throws `Malformed` for a cycle, and if nested too deeply. */
export function encode(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch {
    return write(value, '', 0) ?? 'null'
  }
}

export function textOf(value: Json): string {
  return typeof value === 'string' ? value : encode(value)
}

/** The value at a path such as `properties.email` or `tags.0`. A name that holds dots wins over a path. */
export function valueAt(value: Json | undefined, path: string): Json | undefined {
  if (Array.isArray(value) && /^\d/.test(path)) return atIndex(value, path)
  if (!isObject(value)) return undefined
  for (let end = path.length; end >= 0; end = end === 0 ? -1 : path.lastIndexOf('.', end - 1)) {
    const name = path.slice(0, end)
    if (!Object.hasOwn(value, name)) continue
    const found = end === path.length ? value[name] : valueAt(value[name], path.slice(end + 1))
    if (found !== undefined) return found
  }
  return undefined
}

export function textAt(value: Json | undefined, path: string): string | undefined {
  const found = valueAt(value, path)
  return typeof found === 'string' ? found : undefined
}

function atIndex(list: readonly Json[], path: string): Json | undefined {
  const [index = '', ...rest] = path.split('.')
  const element = /^(0|[1-9]\d*)$/.test(index) ? list[Number(index)] : undefined
  return rest.length === 0 ? element : valueAt(element, rest.join('.'))
}

function write(value: unknown, key: string, depth: number): string | undefined {
  if (value instanceof ExactNumber) return value.source
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (depth === deepest) throw new Malformed('nested too deeply')
  if ('toJSON' in value && typeof value.toJSON === 'function') return write(value.toJSON(key), key, depth + 1)
  if (Array.isArray(value))
    return `[${value.map((item, index) => write(item, String(index), depth + 1) ?? 'null').join()}]`
  const members: string[] = []
  for (const [name, member] of Object.entries(value)) {
    const text = write(member, name, depth + 1)
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`)
  }
  return `{${members.join()}}`
}
