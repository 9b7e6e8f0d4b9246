import { isDeepStrictEqual } from 'node:util'
import { UsageError } from '../errors.ts'
import { Cursor } from './cursor.ts'
import { Malformed } from './tokens.ts'

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

export type Json = null | boolean | number | string | ExactNumber | readonly Json[] | JsonObject<Json>

export interface JsonObject<Member = unknown> {
  readonly [name: string]: Member
}

export function isObject(value: Json | undefined): value is JsonObject<Json>
export function isObject(value: unknown): value is JsonObject
export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
}

export function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined
}

export function isText(value: unknown): value is string {
  return typeof value === 'string'
}

export function isNumber(value: unknown): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber
}

/** Ignores inherited members, such as `constructor`. */
export function memberOf<Member>(object: JsonObject<Member>, name: string): Member | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** Like `JSON.parse`, but keeps exact numbers. `onRepeated`: a name has two different values. Throws `Malformed`. */
export function decode(json: Buffer | string, onRepeated?: (name: string) => never): Json {
  const cursor = new Cursor(Buffer.from(json.toString().replace(/^\ufeff/, '')))
  const value = decodeValue(cursor, onRepeated)
  cursor.end()
  return value
}

/** Like `decode`; undefined for invalid JSON. */
export function decodeValid(json: Buffer | string, onRepeated?: (name: string) => never): Json | undefined {
  try {
    return decode(json, onRepeated)
  } catch (error) {
    if (error instanceof Malformed) return undefined
    throw error
  }
}

/** Decodes JSON that a person wrote. Throws `UsageError` for two different values of one name. */
export function decodeInput(json: Buffer | string, where: string): Json | undefined {
  return decodeValid(json, name => {
    throw new UsageError(`${where}${name} is given twice`, { hint: 'Keep only one' })
  })
}

/** Decodes only the next value. */
export function decodeValue(cursor: Cursor, onRepeated?: (name: string) => never): Json {
  const { kind } = cursor
  if (kind === 'string') return cursor.string()
  if (kind === 'scalar') return scalarOf(cursor.scalar())
  if (kind === 'list') {
    const items: Json[] = []
    cursor.enter(() => items.push(decodeValue(cursor, onRepeated)))
    return items
  }
  const object: Record<string, Json> = {}
  cursor.enter(() => {
    const name = cursor.name()
    const value = decodeValue(cursor, onRepeated)
    const isRepeated = onRepeated && Object.hasOwn(object, name)
    if (isRepeated && !isDeepStrictEqual(object[name], value)) onRepeated(name)
    if (name !== '__proto__') object[name] = value
    else Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true })
  })
  return object
}

function scalarOf(token: string): Json {
  if (token === 'true' || token === 'false') return token === 'true'
  if (token === 'null') return null
  const number = Number(token)
  return String(number) === token ? number : new ExactNumber(token)
}

/** Like `JSON.stringify`, but keeps exact numbers. Throws `Malformed` for a cycle. */
export function encode(value: unknown): string {
  return write(value, 0) ?? 'null'
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : encode(value)
}

/** `path`: such as `properties.email` or `tags.0`. */
export function valueAt(value: Json | undefined, path: string): Json | undefined {
  return partAt(path, partsOf(value), partsOf)
}

function partsOf(value: Json | undefined): (name: string) => Json | undefined {
  if (Array.isArray(value)) return name => itemNamed(value, name)
  return name => (isObject(value) ? memberOf(value, name) : undefined)
}

/** A member whose name has dots takes precedence over a path. */
export function partAt<Part>(
  path: string,
  parts: (name: string) => Part | undefined,
  partsWithin: (part: Part) => (name: string) => Part | undefined,
): Part | undefined {
  for (let end = path.length; end >= 0; end = end === 0 ? -1 : path.lastIndexOf('.', end - 1)) {
    const part = parts(path.slice(0, end))
    if (part === undefined) continue
    const found = end === path.length ? part : partAt(path.slice(end + 1), partsWithin(part), partsWithin)
    if (found !== undefined) return found
  }
  return undefined
}

export function itemNamed<Item>(list: readonly Item[], name: string): Item | undefined {
  return /^(0|[1-9]\d*)$/.test(name) ? list[Number(name)] : undefined
}

export function textAt(value: Json | undefined, path: string): string | undefined {
  const found = valueAt(value, path)
  return typeof found === 'string' ? found : undefined
}

/** Deeper than anything that can be read; a cycle is deeper still. */
const deepestWritten = 2000

function write(value: unknown, depth: number): string | undefined {
  if (value instanceof ExactNumber) return value.source
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (depth > deepestWritten) throw new Malformed('nested too deeply')
  if (Array.isArray(value)) return `[${value.map(item => write(item, depth + 1) ?? 'null').join()}]`
  const members: string[] = []
  for (const [name, member] of Object.entries(value)) {
    const text = write(member, depth + 1)
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`)
  }
  return `{${members.join()}}`
}
