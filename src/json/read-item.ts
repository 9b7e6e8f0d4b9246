/** Validates a response and cuts it into its parts at once; decodes only the values that are used. */
import { isUtf8 } from 'node:buffer'
import { Cursor } from './cursor.ts'
import { decodeValue, encode, type Json, type JsonObject } from './exact.ts'
import { Malformed, oneLine } from './tokens.ts'

/** A value of a response. */
export class Item {
  readonly kind: Cursor['kind']
  readonly #body: Buffer
  readonly #start: number
  readonly #end: number
  #parts: Parts | undefined
  #value: Json | undefined

  /** Cuts this many levels at once. Throws `Malformed`. */
  constructor(cursor: Cursor, levels: number) {
    this.kind = cursor.kind
    this.#body = cursor.bytes
    this.#start = cursor.at
    if (levels > 0 && isNested(this)) this.#parts = cutParts(cursor, levels - 1)
    else cursor.skip()
    this.#end = cursor.at
  }

  /** Its UTF-8, as a string with a character for each byte. */
  get latin1(): string {
    return this.#body.toString('latin1', this.#start, this.#end)
  }

  get text(): string {
    return this.#body.toString('utf8', this.#start, this.#end)
  }

  get value(): Json {
    this.#value ??= decodeValue(new Cursor(this.#body, this.#start))
    return this.#value
  }

  get parts(): Parts {
    return this.#parts ?? cutParts(new Cursor(this.#body, this.#start), 0)
  }
}

export type ObjectItem = Item & { readonly value: JsonObject<Json> }

interface Parts {
  readonly names: readonly string[]
  readonly items: readonly Item[]
}

function cutParts(cursor: Cursor, levels: number): Parts {
  const names: string[] = []
  const items: Item[] = []
  cursor.enter(isMember => {
    if (isMember) names.push(cursor.name())
    items.push(new Item(cursor, levels))
  })
  return { names, items }
}

function isNested({ kind }: Item): boolean {
  return kind === 'list' || kind === 'object'
}

export function readItem(body: Buffer): Item {
  if (!isUtf8(body)) throw new Malformed('not UTF-8')
  const cursor = new Cursor(body, body.toString('latin1', 0, 3) === '\xef\xbb\xbf' ? 3 : 0)
  if (cursor.isAtEnd) throw new Malformed('empty')
  // The rows of a page are two levels down.
  const item = new Item(cursor, 2)
  cursor.end()
  return item
}

export function itemOf(value: unknown): Item {
  return new Item(new Cursor(Buffer.from(encode(value))), 0)
}

export function objectOf(members: readonly (readonly [name: string, value: Item | undefined])[]): Item {
  const parts = members.flatMap(([name, value]) => (value ? `${JSON.stringify(name)}:${oneLine(value.text)}` : []))
  return new Item(new Cursor(Buffer.from(`{${parts.join()}}`)), 0)
}

export function isObjectItem(item: Item): item is ObjectItem {
  return item.kind === 'object'
}

export function sliceArray(item: Item): readonly Item[] {
  return item.kind === 'list' ? item.parts.items : []
}

/** Of equal names the last, as in `JSON.parse`; empty unless the item is an object. */
export function sliceObject(item: Item): ReadonlyMap<string, Item> {
  const members = new Map<string, Item>()
  if (item.kind !== 'object') return members
  const { names, items } = item.parts
  for (const [i, part] of items.entries()) members.set(names[i] ?? '', part)
  return members
}
