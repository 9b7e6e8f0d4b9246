import { isUtf8 } from 'node:buffer'
import { type Item, Malformed } from './item.ts'
import { JsonValidator } from './json-validator.ts'
import { textOf } from './pick.ts'
import {
  beginsValue,
  classOf,
  closeList,
  closeObject,
  colon,
  comma,
  isScalar,
  openList,
  openObject,
  quote,
  scalar,
  space,
} from './scan.ts'

interface Envelope {
  /** Also true for an empty list. */
  readonly found: boolean
  /** Raw JSON; the last one of equal keys. */
  readonly members: ReadonlyMap<string, Item>
}

type Expected =
  | 'body'
  | 'item or end'
  | 'item'
  | 'comma or end of list'
  | 'key or end'
  | 'key'
  | 'colon'
  | 'member'
  | 'comma or end'
  | 'nothing'

type Role = 'item' | 'key' | 'member' | 'whole'

const after: Readonly<Record<Role, Expected>> = {
  item: 'comma or end of list',
  key: 'colon',
  member: 'comma or end',
  whole: 'nothing',
}

const bom = [0xef, 0xbb, 0xbf]

/** Bytes that are accepted between two items. */
const mostBetween = 64 * 1024 * 1024
const memberTakes = 1000

/** Bytes of one item, the same limit as for an answer that is read completely. */
const largestItem = 256 * 1024 * 1024

/** Cuts a top-level array, or the list `results` (`result` in the retention view), into items. Throws `Malformed`. */
export class Slicer {
  readonly #largest: number
  readonly #validator = new JsonValidator()
  readonly #members = new Map<string, Item>()
  #expected: Expected = 'body'
  #role: Role | undefined
  #bom = 0
  #name = ''
  #list: 'results' | 'result' | 'body' | undefined
  #pieces: Buffer[] = []
  #held = 0
  #between = 0
  #isUtf8 = true

  constructor(largest = 16 * 1024 * 1024) {
    this.#largest = largest
  }

  /** The caller must not reuse the memory of the chunk. */
  push(chunk: Uint8Array): Item[] {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    const items: Item[] = []
    this.#isUtf8 = isUtf8(bytes)
    let i = 0
    while (i < bytes.length) {
      if (this.#role !== undefined) i = this.#pass(bytes, i, this.#role, items)
      else if (classOf(bytes[i]) === space || this.#punctuation(bytes[i] as number)) i++
    }
    if (items.length > 0 || this.#role === 'item') this.#between = 0
    else this.#between += bytes.length
    if (this.#between > Math.max(mostBetween, this.#largest)) throw new Malformed('too much around its items')
    return items
  }

  member(name: string): Item | undefined {
    return this.#members.get(name)
  }

  get isBareArray(): boolean {
    return this.#list === 'body'
  }

  end(): Envelope {
    const role = this.#role
    // A number at the top level has no other end.
    if (role === 'whole' && classOf(this.#pieces[0]?.[0]) === scalar) {
      this.#complete(role, Buffer.concat(this.#pieces), [])
    }
    if (this.#expected === 'body' && this.#role === undefined) throw new Malformed('empty')
    if (this.#expected !== 'nothing') throw new Malformed('cut short')
    return { found: this.#list !== undefined, members: this.#members }
  }

  #punctuation(byte: number): boolean {
    switch (this.#expected) {
      case 'body':
        return this.#body(byte)
      case 'item or end':
        return byte === closeList ? this.#endList() : this.#begin('item', byte)
      case 'item':
        return this.#begin('item', byte)
      case 'comma or end of list':
        return byte === closeList ? this.#endList() : this.#only(comma, byte, 'item')
      case 'key or end':
        return byte === closeObject ? this.#expect('nothing') : this.#begin('key', byte)
      case 'key':
        return this.#begin('key', byte)
      case 'colon':
        return this.#only(colon, byte, 'member')
      case 'member':
        return byte === openList && this.#isList() ? this.#expect('item or end') : this.#begin('member', byte)
      case 'comma or end':
        return byte === closeObject ? this.#expect('nothing') : this.#only(comma, byte, 'key')
      case 'nothing':
        throw new Malformed('text after its end')
    }
  }

  #body(byte: number): boolean {
    if (this.#bom < 3 && byte === bom[this.#bom]) {
      this.#bom++
      return true
    }
    if (this.#bom % 3 !== 0) throw new Malformed('not JSON')
    this.#bom = 3
    if (byte === openObject) return this.#expect('key or end')
    if (byte !== openList) return this.#begin('whole', byte)
    this.#list = 'body'
    return this.#expect('item or end')
  }

  #isList(): boolean {
    if (this.#name !== 'results' && this.#name !== 'result') return false
    if (this.#name === 'result' && this.#list === 'results') return false
    if (this.#list) throw new Malformed('two lists')
    this.#list = this.#name
    return true
  }

  #endList(): boolean {
    return this.#expect(this.#list === 'body' ? 'nothing' : 'comma or end')
  }

  #expect(next: Expected): boolean {
    this.#expected = next
    return true
  }

  #only(wanted: number, byte: number, next: Expected): boolean {
    if (byte !== wanted) throw new Malformed('not JSON')
    return this.#expect(next)
  }

  #begin(role: Role, byte: number): boolean {
    if (role === 'key' ? byte !== quote : !beginsValue(byte)) throw new Malformed('not JSON')
    this.#validator.begin()
    this.#role = role
    return false
  }

  #pass(bytes: Buffer, start: number, role: Role, items: Item[]): number {
    const end = this.#validator.pass(bytes, start)
    if (end >= 0) {
      this.#complete(role, this.#take(bytes, start, end), items)
      return end
    }
    this.#pieces.push(bytes.subarray(start))
    this.#held += bytes.length - start
    this.#measure(role, this.#held)
    return bytes.length
  }

  #take(bytes: Buffer, start: number, end: number): Item {
    if (this.#pieces.length === 0) {
      const item = bytes.subarray(start, end)
      // A chunk may end inside a character of another item.
      if (!this.#isUtf8 && !isUtf8(item)) throw new Malformed('not UTF-8')
      return item
    }
    this.#pieces.push(bytes.subarray(0, end))
    const item = Buffer.concat(this.#pieces)
    if (!isUtf8(item)) throw new Malformed('not UTF-8')
    this.#pieces = []
    this.#held = 0
    return item
  }

  #complete(role: Role, value: Item, items: Item[]): void {
    if (classOf(value[0]) === scalar && !isScalar(value)) throw new Malformed('not JSON')
    this.#measure(role, value.length)
    if (role === 'item') items.push(value)
    else if (role === 'key') this.#name = textOf(value)
    else if (role === 'member') {
      this.#members.set(this.#name, value)
      this.#between += memberTakes
    }
    this.#role = undefined
    this.#expected = after[role]
  }

  #measure(role: Role, bytes: number): void {
    if (role === 'item' ? bytes > Math.max(largestItem, this.#largest) : bytes > this.#largest) {
      throw new Malformed(role === 'item' ? 'an item that is too large' : 'a member that is too large')
    }
  }
}

/** Slices a complete body; members may have any size, since they are not copied. Throws `Malformed`. */
export function slice(body: Uint8Array): { items: Item[]; envelope: Envelope } {
  const slicer = new Slicer(Number.POSITIVE_INFINITY)
  return { items: slicer.push(body), envelope: slicer.end() }
}
