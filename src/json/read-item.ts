/** An answer is validated once; then its parts are cut as text, and keep the values that were parsed. */
import { isAscii, isUtf8 } from 'node:buffer'
import { decodeExactly, encode, isObject, type Json, type JsonObject, needsExact, parseText } from './exact.ts'
import { Malformed, partsIn, refuseUnreadable } from './tokens.ts'

/** One JSON value of an answer: the text as it came, and what it means. */
export interface Item<Value = Json> {
  readonly text: string
  readonly value: Value
}

export type ObjectItem = Item<JsonObject<Json>>

/** Numbers that a double cannot hold are rare, so a value is read again for them only where it is used. */
class Cut implements Item {
  readonly text: string
  readonly parsed: Json
  #exact: Json | undefined

  constructor(text: string, parsed: Json) {
    this.text = text
    this.parsed = parsed
  }

  get value(): Json {
    this.#exact ??= needsExact(this.text) ? decodeExactly(this.text) : this.parsed
    return this.#exact
  }
}

export function readItem(body: Buffer): Item {
  if (!isUtf8(body)) throw new Malformed('not UTF-8')
  const text = body
    // Five times quicker, where the two are the same.
    .toString(isAscii(body) ? 'latin1' : 'utf8')
    .replace(/^\ufeff/, '')
    .trim()
  if (text === '') throw new Malformed('empty')
  refuseUnreadable(text)
  return new Cut(text, parseText(text))
}

export function itemOf(value: unknown): Item {
  const text = encode(value)
  return new Cut(text, JSON.parse(text))
}

export function isObjectItem(item: Item): item is ObjectItem {
  return isObject(item.value)
}

/** Enough where no number matters, and quick for a whole page. */
export function roughValueOf(item: Item): Json {
  return item instanceof Cut ? item.parsed : item.value
}

export function elementsOf(item: Item): Item[] {
  const values = roughValueOf(item)
  if (!Array.isArray(values)) return []
  return partsIn(item.text).map(([, text], i) => new Cut(text, values[i] ?? null))
}

/** Of equal names the last, as in `JSON.parse`; empty unless the item is an object. */
export function membersOf(item: Item): Map<string, Item> {
  const values = roughValueOf(item)
  if (!isObject(values)) return new Map()
  return new Map(partsIn(item.text).map(([name, text]) => [name, new Cut(text, values[name] ?? null)]))
}
