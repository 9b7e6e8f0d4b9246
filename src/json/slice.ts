/** Cuts a list into its items while it arrives, without parsing them. */
import { isUtf8 } from 'node:buffer'
import { type Item, Malformed } from './item.ts'
import { Passage } from './passage.ts'
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

export type { Item, Reason } from './item.ts'
export { Malformed } from './item.ts'

/** What stands around the items. */
interface Envelope {
  /** Whether there was a list of items, be it empty. */
  readonly found: boolean
  /** The other members of the top-level object as raw JSON; of equal keys the last. */
  readonly members: ReadonlyMap<string, Item>
}

/** What the next byte that is not white space may be. */
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

/** What a value is to us. `whole`: the body is neither an object nor a list. */
type Role = 'item' | 'key' | 'member' | 'whole'

const after: Readonly<Record<Role, Expected>> = {
  item: 'comma or end of list',
  key: 'colon',
  member: 'comma or end',
  whole: 'nothing',
}

const bom = [0xef, 0xbb, 0xbf]

/** Bytes between two items past which no more are to come. A member counts for what it takes to keep it. */
const mostBetween = 64 * 1024 * 1024
const memberTakes = 1000

/** Bytes past which an item has no end: as much as an answer that is read whole may have. */
const largestItem = 256 * 1024 * 1024

/**
 * Cuts a body that arrives in chunks into the items of its list: the elements of a top-level array, or those of the
 * member `results` of a top-level object (of `result` where no `results` is a list: the retention view answers so).
 * All of it must be JSON in UTF-8; only escapes and control characters within strings are not looked at.
 * An item within one chunk is a view of that chunk; one that spans chunks is put together once. All throw `Malformed`.
 */
export class Slicer {
  readonly #largest: number
  readonly #passage = new Passage()
  readonly #members = new Map<string, Item>()
  #expected: Expected = 'body'
  #role: Role | undefined
  #bom = 0
  #name = ''
  #list: 'results' | 'result' | 'body' | undefined
  #pieces: Buffer[] = []
  #held = 0
  #between = 0
  /** Whether the current chunk is UTF-8 by itself. */
  #isUtf8 = true

  /** `largest`: bytes that a member around the items may have, since it is held until the end. */
  constructor(largest = 16 * 1024 * 1024) {
    this.#largest = largest
  }

  /** The items completed by this chunk; its bytes must not be overwritten afterwards. */
  push(chunk: Uint8Array): Item[] {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    const items: Item[] = []
    this.#isUtf8 = isUtf8(bytes)
    let i = 0
    while (i < bytes.length) {
      if (this.#role !== undefined) i = this.#pass(bytes, i, this.#role, items)
      // A value's first byte belongs to the value.
      else if (classOf(bytes[i]) === space || this.#punctuation(bytes[i] as number)) i++
    }
    if (items.length > 0 || this.#role === 'item') this.#between = 0
    else this.#between += bytes.length
    if (this.#between > Math.max(mostBetween, this.#largest)) throw new Malformed('too much around its items')
    return items
  }

  /** A member around the items, if it has come by now. */
  member(name: string): Item | undefined {
    return this.#members.get(name)
  }

  /** To be called once, behind the last chunk. */
  end(): Envelope {
    const role = this.#role
    // Only the end of the body ends a number.
    if (role === 'whole' && classOf(this.#pieces[0]?.[0]) === scalar) {
      this.#complete(role, Buffer.concat(this.#pieces), [])
    }
    if (this.#expected === 'body' && this.#role === undefined) throw new Malformed('empty')
    if (this.#expected !== 'nothing') throw new Malformed('cut short')
    return { found: this.#list !== undefined, members: this.#members }
  }

  /** Moves on over a byte between values; false where a value begins with it. */
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

  /** Whether the list that begins under the current name holds the items. */
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
    this.#passage.begin()
    this.#role = role
    return false
  }

  #pass(bytes: Buffer, start: number, role: Role, items: Item[]): number {
    const end = this.#passage.pass(bytes, start)
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
      // A chunk may end in the middle of a character that is no part of this item.
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

/** Slices a whole body. Its members may be of any size, since they are views of it. Throws `Malformed`. */
export function slice(body: Uint8Array): { items: Item[]; envelope: Envelope } {
  const slicer = new Slicer(Number.POSITIVE_INFINITY)
  return { items: slicer.push(body), envelope: slicer.end() }
}
